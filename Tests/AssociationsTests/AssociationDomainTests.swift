import Associations
import Testing

@Suite struct AssociationDomainTests {
  @Test(arguments: ["app.example.org", "a.b", "a-b.example", "1a.example", "app.example.museum"])
  func `a canonical host is taken as it is`(text: String) { #expect(AssociationDomain(text)?.text == text) }

  @Test(arguments: [
    "*.example.org", "example.org.", ".example.org", "a..example.org", "App.example.org", "xn--pple-43d.com",
    "www.xn--80ak6aa92e.com", "ab--c.example.org", "example.com@evil.example", "user@example.org", "example.org:443",
    "example.org/", "example.org?x", "example.org#x", "https://example.org", "192.0.2.1", "127.0.0.1", "2130706433",
    "0x7f.1", "1.0x7f", "[::1]", "::1", "localhost", "example", "", "-a.example", "a-.example", "a_b.example",
    "a b.example", "exämple.org", "a.example\u{0}", "a.example\n", "\u{202e}a.example",
  ])
  func `G5 whatever could be read as another host is refused`(text: String) { #expect(AssociationDomain(text) == nil) }

  @Test func `G5 a host past its length is refused`() {
    let label = String(repeating: "a", count: 63)
    #expect(AssociationDomain(label + ".example") != nil && AssociationDomain(label + "a.example") == nil)
    #expect(AssociationDomain(Array(repeating: label, count: 4).joined(separator: ".")) == nil)
  }
}
