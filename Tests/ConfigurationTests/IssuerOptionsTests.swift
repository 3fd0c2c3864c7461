import Configuration
import Exchange
import Testing
import Vault

private func refusal(_ options: IssuerOptions) -> String? {
  do throws(OptionRefusal) { _ = try options.issuer() } catch { return error.description }
  return nil
}

@Suite struct IssuerOptionsTests {
  @Test func `an issuer named in full is called by its host`() throws {
    let options = IssuerOptions(
      kind: "openid", address: "https://login.example.org:8443/a", clientID: "me", redirectURI: "http://localhost:1/cb",
      scopes: ["openid", "email"])
    let named = try options.issuer()
    #expect(named.issuer.profile.name == "login.example.org:8443" && named.issuer.scopes == ["openid", "email"])
  }

  @Test func `a publishable key is enough`() throws {
    let named = try IssuerOptions(kind: "didit", publishableKey: sandbox).issuer()
    #expect(named.issuer.profile.egress.plainLoopback && !named.needsConfirmation)
  }

  @Test func `a key of a custom domain is to be confirmed`() throws {
    #expect(try IssuerOptions(kind: "didit", publishableKey: custom).issuer().needsConfirmation)
  }

  @Test(arguments: [
    (IssuerOptions(kind: "saml", address: "https://a.example"), "--kind must be didit or openid"),
    (IssuerOptions(kind: "openid"), "--issuer must be given"),
    (IssuerOptions(kind: "openid", publishableKey: live), "--publishable-key must be left out with --kind openid"),
    (
      IssuerOptions(kind: "didit", address: "https://b.auth.didit.me", publishableKey: live),
      "--publishable-key must be that of the same origin as --issuer"
    ),
    (
      IssuerOptions(kind: "openid", address: "https://a.example", scopes: ["a b", "\""]),
      "--scope must be scopes separated by single spaces (RFC 6749 §3.3)"
    ),
    (
      IssuerOptions(kind: "openid", address: "https://a.example", clientID: "a b"),
      "--client-id must be 1 to 256 printable ASCII characters without spaces"
    ),
  ])
  func `what cannot be right names its option`(options: IssuerOptions, words: String) {
    #expect(refusal(options) == words)
  }
}
