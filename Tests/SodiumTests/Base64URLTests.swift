import Secrets
import Sodium
import Testing

struct Base64URLTests {
  init() throws { try Sodium.start() }

  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the vectors of RFC 4648 hold both ways`(plain: String, text: String) throws {
    #expect(Base64URL.encode(Array(plain.utf8)) == text)
    #expect(try Base64URL.decode(text) == Array(plain.utf8))
  }

  @Test func `the alphabet is the one that is safe in a URL`() throws {
    #expect(Base64URL.encode([0xfb, 0xff]) == "-_8")
  }

  @Test(arguments: ["Zg==", "Zg=", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9v", "+/8", "Zm9v\n", "Zm\u{0}v", "é", "Zmé"])
  func `a text that is not strict is refused`(text: String) {
    #expect(throws: Base64URLError.malformed) { _ = try Base64URL.decode(text) }
    #expect(throws: Base64URLError.malformed) { _ = try Base64URL.decodeSecret(secret(text)) }
  }

  @Test func `a secret survives there and back`() throws {
    let original = try Random.secret(count: 77)
    let back = try Base64URL.decodeSecret(try Base64URL.encode(original))
    #expect(revealed(back) == revealed(original))
  }

  @Test func `the secret form is the public form`() throws {
    let encoded = try Base64URL.encode(try secret("foob"))
    #expect(revealed(encoded) == Array("Zm9vYg".utf8))
  }

  @Test func `hexadecimal goes there and back`() {
    #expect(Hexadecimal.decode(Hexadecimal.encode([0, 1, 0xab, 0xff])) == [0, 1, 0xab, 0xff])
  }

  @Test(arguments: ["0", "0g", "AB", " 0"])
  func `hexadecimal is refused unless lower case and whole`(text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }
}
