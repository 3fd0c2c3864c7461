import OAuth
import Sodium
import Testing

struct PublishableKeyTests {
  private func key(_ prefix: String, _ origin: String) throws -> PublishableKey {
    try PublishableKey(prefix + Base64URL.encode(Array(origin.utf8)))
  }

  @Test func `a live key decodes to its origin`() throws {
    let key = try key("pk_live_", "https://acme.auth.didit.me")
    #expect(key.issuer.text == "https://acme.auth.didit.me" && key.environment == .live && key.isUsualHost)
  }

  @Test(arguments: ["https://acme.sandbox.auth.didit.me", "http://localhost:8080", "http://127.0.0.1:1"])
  func `a test key decodes to the sandbox or this machine`(origin: String) throws {
    let key = try key("pk_test_", origin)
    #expect(key.issuer.text == origin && key.environment == .sandbox && key.isUsualHost)
  }

  @Test(arguments: [
    "https://login.acme.example", "https://auth.didit.me.evil.example", "https://a.b.auth.didit.me",
    "https://acme.auth.didit.me:444", "https://sandbox.auth.didit.me",
  ])
  func `any other host has to be confirmed`(origin: String) throws {
    #expect(try !key("pk_live_", origin).isUsualHost)
  }

  @Test(arguments: [
    ("pk_live_", "https://acme.sandbox.auth.didit.me"), ("pk_test_", "https://acme.auth.didit.me"),
    ("pk_live_", "https://localhost"),
  ])
  func `a host of the other environment is refused`(prefix: String, origin: String) {
    #expect(throws: PublishableKeyError.wrongEnvironment) { _ = try key(prefix, origin) }
  }

  @Test(arguments: ["http://acme.auth.didit.me", "http://localhost:1"])
  func `a live key by plain http is refused`(origin: String) {
    #expect(throws: PublishableKeyError.issuer(.insecure)) { _ = try key("pk_live_", origin) }
  }

  @Test(arguments: ["https://acme.auth.didit.me/", "https://acme.auth.didit.me/x"])
  func `an address with a path is refused`(origin: String) {
    #expect(throws: PublishableKeyError.notAnOrigin) { _ = try key("pk_live_", origin) }
  }

  @Test(arguments: ["", "pk_prod_aGk", "sk_live_aGk", "PK_LIVE_aGk"])
  func `another prefix is refused`(text: String) {
    #expect(throws: PublishableKeyError.prefix) { _ = try PublishableKey(text) }
  }

  @Test(arguments: ["pk_live_aGk=", "pk_live_a", "pk_live_!!", "pk_live__w"])
  func `a key that is not base64url of text is refused`(text: String) {
    #expect(throws: PublishableKeyError.encoding) { _ = try PublishableKey(text) }
  }
}
