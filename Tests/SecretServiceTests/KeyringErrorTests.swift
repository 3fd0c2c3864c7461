import SecretService
import Testing

@Suite struct KeyringErrorTests {
  @Test(arguments: [
    KeyringError.locked, .dismissed, .absent("no bus"), .unavailable("hangs"), .refused("full"), .inconsistent("two"),
  ])
  func `every error has something to say`(_ error: KeyringError) { #expect(!error.text.isEmpty) }
}
