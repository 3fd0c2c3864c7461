import Commands
import Testing

@Suite struct IssuerDisclosureTests {
  @Test(arguments: [
    "https://acme.auth.didit.me", "https://acme.sandbox.auth.didit.me", "http://localhost:8080", "http://127.0.0.1:1/o",
    "http://[::1]:80", "acme",
  ])
  func `a configured name, this machine and Didit's hosts are expected`(issuer: String) {
    #expect(IssuerDisclosure(issuer: issuer, publishableKey: nil) == .expected)
  }

  @Test(arguments: [
    "https://login.example", "https://auth.didit.me.evil.example", "https://evil.example/.auth.didit.me",
    "https://acme.auth.didit.me@evil.example", "https://auth.didit.me", "http://acme.auth.didit.me",
    "https://evil.example#.auth.didit.me", "http://localhost.evil.example", "https://acme.auth.didit.me:444",
    "http://localhost@evil.example",
  ])
  func `any other address has to be confirmed`(issuer: String) {
    #expect(IssuerDisclosure(issuer: issuer, publishableKey: nil) == .unconfirmed(issuer))
  }

  // Base64url of https://acme.auth.didit.me, https://acme.sandbox.auth.didit.me, http://localhost:8080.
  @Test(arguments: [
    "pk_live_aHR0cHM6Ly9hY21lLmF1dGguZGlkaXQubWU", "pk_test_aHR0cHM6Ly9hY21lLnNhbmRib3guYXV0aC5kaWRpdC5tZQ",
    "pk_test_aHR0cDovL2xvY2FsaG9zdDo4MDgw",
  ])
  func `a key that names its own kind of host is expected`(key: String) {
    #expect(IssuerDisclosure(issuer: nil, publishableKey: key) == .expected)
  }

  // Base64url of https://login.example, and of a sandbox host in a live key.
  @Test(arguments: [
    ("pk_live_aHR0cHM6Ly9sb2dpbi5leGFtcGxl", "https://login.example"),
    ("pk_live_aHR0cHM6Ly9hY21lLnNhbmRib3guYXV0aC5kaWRpdC5tZQ", "https://acme.sandbox.auth.didit.me"),
    ("pk_live_aHR0cDovL2xvY2FsaG9zdDo4MDgw", "http://localhost:8080"),
  ])
  func `a key that names another host has to be confirmed`(key: String, issuer: String) {
    #expect(IssuerDisclosure(issuer: nil, publishableKey: key) == .unconfirmed(issuer))
  }

  @Test(arguments: ["", "pk_live_", "pk_live_!", "sk_live_aHR0cDo", "pk_live_gICA"])
  func `what is no key is left for the daemon to refuse`(key: String) {
    #expect(IssuerDisclosure(issuer: nil, publishableKey: key) == .expected)
  }
}
