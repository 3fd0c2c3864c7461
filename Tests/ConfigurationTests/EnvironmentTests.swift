import Configuration
import Testing
import Vault

/// Sandbox and live are separate applications, with callbacks of their own.
@Suite struct EnvironmentTests {
  private func plan(_ origin: String, back: String) throws -> SignInPlan {
    let wish = SignInWish(issuer: origin, kind: "didit", redirectURI: back)
    return try Configuration().plan(wish, existing: nil)
  }

  @Test(arguments: ["http://localhost:21873/callback", "http://127.0.0.1/callback", "http://[::1]:5000/"])
  func `a live application never comes back to this machine`(_ back: String) {
    #expect(
      throws: VaultError.badRequest(
        field: "redirectUri", message: "a live application comes back by https, a sandbox to this machine")
    ) { try plan("https://acme.auth.didit.me", back: back) }
  }

  @Test(arguments: [
    ("https://acme.auth.didit.me", "https://app.example/callback"),
    ("https://acme.sandbox.auth.didit.me", "http://localhost:21873/callback"),
    ("https://acme.sandbox.auth.didit.me", "https://app.example/callback"),
  ])
  func `every other way back is taken`(_ origin: String, _ back: String) throws {
    #expect(try plan(origin, back: back).redirectURI == back)
  }
}
