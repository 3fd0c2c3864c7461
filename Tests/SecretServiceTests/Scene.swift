import EventLoop
import Glibc
import SecretService
import Secrets

/// What `Tests/Integration/keyring/run-store-tests.sh` has put on the bus, and a door to it.
enum Scene {
  /// Whether the script runs this part: the fake service's mode, `none`, or nil outside of it.
  static func isService(_ name: String) -> Bool { variable("ALMONER_TEST_SERVICE") == name }
  static var isBusAbsent: Bool { variable("ALMONER_TEST_BUS") == "none" }

  static let loop = Result { try LoopThread(name: "test-loop") }

  static func keyring() throws -> Keyring { try Keyring(try loop.get().loop) }

  static let query = KeyringQuery(key: ["account": "1"], attributes: ["account": "1", "issuer": "i"])

  static func save(_ keyring: Keyring) async throws {
    let secret = unsafe SecretBox(try SecretBytes(copying: Array("secret".utf8).span.bytes))
    let item = KeyringItem(label: "test", attributes: query.attributes, secret: secret)
    try await keyring.save(item, query) { _ in true }
  }

  static func isInconsistent(_ error: any Error) -> Bool {
    if case .inconsistent = error as? KeyringError { true } else { false }
  }

  static func isRefused(_ error: any Error) -> Bool {
    if case .refused = error as? KeyringError { true } else { false }
  }

  /// Whether it is unavailable, and says so with these words.
  static func isUnavailable(_ error: any Error, _ words: String) -> Bool {
    guard case .unavailable(let text) = error as? KeyringError else { return false }
    return text.contains(words)
  }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
