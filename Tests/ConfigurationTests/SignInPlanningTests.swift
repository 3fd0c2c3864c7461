import Configuration
import Testing
import Vault

@Suite struct SignInPlanningTests {
  private func refusal(_ issuer: String, _ configuration: Configuration) -> String? {
    let wish = SignInWish(account: "work", issuer: issuer)
    let error = #expect(throws: VaultError.self) { try configuration.plan(wish, existing: nil) }
    guard case .badRequest(field: "issuer", let message)? = error else { return nil }
    return message
  }

  @Test func `a name that no issuer has is told with the names there are`() throws {
    let text = "[issuer mine]\nkind=openid\nissuer=https://a.example\nclient-id=x\n"
    let file = ConfigurationFile(path: "a.conf", content: .success(Array(text.utf8)))
    let configured = LoadedConfiguration([file]).configuration
    #expect(refusal("bogus", configured)?.contains("no issuer has this name; configured: mine;") == true)
    #expect(refusal("bogus", .standard)?.contains("none is configured") == true)
  }

  @Test func `an address that is none is told what it must be`() throws {
    #expect(refusal("http://elsewhere.example", .standard)?.contains("it must be") == true)
  }
}
