import OAuth
import Sodium
import Testing

struct URLTests {
  @Test func `a URL falls into its parts`() throws {
    let url = try WebURL("https://a.example:8443/p/q?x=1&y=2")
    #expect(url.host == "a.example" && url.port == 8443 && url.path == "/p/q" && url.query == "x=1&y=2")
  }

  @Test(arguments: [
    ("ftp://a.example", WebURLError.scheme), ("//a.example", .scheme), ("https:/a", .scheme), ("", .scheme),
    ("https://u@a.example/", .userInformation), ("https://a.example@evil/", .userInformation),
    ("https://a.example/#f", .fragment), ("https://a .example/", .character), ("https://a.example/\\b", .character),
    ("https://a.example/\u{7f}", .character), ("https://exämple/", .character), ("https://", .host),
    ("https://a..b/", .host), ("https://a.example./", .host), ("https://-a/", .host), ("https://[::1/", .host),
    ("https://%61/", .host), ("https://a:/", .port), ("https://a:0/", .port), ("https://a:65536/", .port),
    ("https://a:08/", .port), ("https://a:80:80/", .port), ("https://[::1]x/", .host), ("https://127.1/", .host),
    ("https://2130706433/", .host), ("https://0x7f.0.0.1/", .host), ("https://127.0.0.01/", .host),
    ("https://1.2.3.256/", .host), ("https://1.2.3.4.5/", .host), ("https://a.1/", .host), ("https://a.0X/", .host),
  ])
  func `a URL that could be read in two ways is refused`(text: String, error: WebURLError) {
    #expect(throws: error) { _ = try WebURL(text) }
  }

  @Test(arguments: ["http://localhost:1/x", "http://127.0.0.1/", "http://[::1]:9/", "http://LOCALHOST/"])
  func `this machine is recognised`(text: String) throws { #expect(try WebURL(text).isLoopback) }

  @Test(arguments: [
    "http://localhost.example/", "http://127.0.0.2/", "http://0.0.0.0/", "http://1.example/", "http://[::2]/",
  ])
  func `nothing else is taken for this machine`(text: String) throws { #expect(try !WebURL(text).isLoopback) }

  @Test func `a redirect to this machine is a loopback redirect`() throws {
    #expect(try RedirectURI("http://localhost:8976/cb").destination == .loopback(host: "localhost", port: 8976))
  }

  @Test func `a redirect by https is a claimed one`() throws {
    #expect(try RedirectURI("https://app.example/cb").destination == .claimedHTTPS)
  }

  @Test(arguments: [
    ("http://app.example/cb", RedirectURIError.insecure), ("https://*.example/cb", .url(.host)),
    ("https://app.example/*", .wildcard), ("myapp://cb", .url(.scheme)), ("https://app.example/#x", .url(.fragment)),
  ])
  func `a redirect that no issuer should register is refused`(text: String, error: RedirectURIError) {
    #expect(throws: error) { _ = try RedirectURI(text) }
  }

  @Test func `a redirect without port is bound to the one the listener got`() throws {
    let redirect = try RedirectURI("http://127.0.0.1/cb").bound(toPort: 40001)
    #expect(redirect.text == "http://127.0.0.1:40001/cb")
  }

  @Test func `a registered port is never changed`() throws {
    #expect(try RedirectURI("http://localhost:8976/cb").bound(toPort: 1).text == "http://localhost:8976/cb")
  }

  @Test(arguments: [
    ("http://a.example", IssuerIdentifierError.insecure), ("https://a.example?x", .query),
    ("https://A.example", .upperCase),
    ("HTTPS://a.example", .upperCase), ("http://localhost.evil.example", .insecure),
  ])
  func `an issuer identifier that is insecure or has two spellings is refused`(
    text: String, error: IssuerIdentifierError
  ) {
    #expect(throws: error) { _ = try IssuerIdentifier(text, plainLoopback: true) }
  }

  @Test func `plain http to this machine needs to be allowed`() throws {
    #expect(throws: IssuerIdentifierError.insecure) {
      _ = try IssuerIdentifier("http://localhost:8080", plainLoopback: false)
    }
    #expect(try IssuerIdentifier("http://localhost:8080", plainLoopback: true).text == "http://localhost:8080")
  }
}
