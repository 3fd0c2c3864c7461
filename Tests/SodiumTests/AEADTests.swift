import Secrets
import Sodium
import Testing

struct AEADTests {
  /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
  private static let plaintext = """
    Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
    """
  private static let additionalData: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7]
  private static let ciphertext = """
    bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39\
    ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
    21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
    """

  init() throws { try Sodium.start() }

  @Test func `sealing gives the known answer of the draft`() throws {
    let plain = try secret(Self.plaintext)
    let sealed = AEAD.seal(
      plain.bytes, additionalData: Self.additionalData, key: try secret(Array(0x80...0x9f)), nonce: Array(0x40...0x57))
    #expect(Hexadecimal.encode(Array(sealed.dropFirst(24))) == Self.ciphertext)
  }

  @Test func `what was sealed opens to the same bytes`() throws {
    let key = try Random.secret(count: 32)
    let sealed = AEAD.seal(try secret("a token"), additionalData: [1, 2], key: key)
    let opened = try AEAD.open(sealed, additionalData: [1, 2], key: key)
    #expect(revealed(opened) == Array("a token".utf8))
  }

  @Test func `an empty plaintext seals and opens`() throws {
    let key = try Random.secret(count: 32)
    let opened = try AEAD.open(AEAD.seal(try secret(""), additionalData: [], key: key), additionalData: [], key: key)
    #expect(opened.count == 0)
  }

  @Test func `two seals of the same bytes differ`() throws {
    let key = try Random.secret(count: 32)
    let one = AEAD.seal(try secret("same"), additionalData: [], key: key)
    #expect(one != AEAD.seal(try secret("same"), additionalData: [], key: key))
  }

  @Test func `a flipped bit anywhere is noticed`() throws {
    let key = try Random.secret(count: 32)
    let sealed = AEAD.seal(try secret("a token"), additionalData: [7], key: key)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: AEADError.notAuthentic) { _ = try AEAD.open(changed, additionalData: [7], key: key) }
    }
  }

  @Test func `a message cut anywhere is noticed`() throws {
    let key = try Random.secret(count: 32)
    let sealed = AEAD.seal(try secret("a token"), additionalData: [7], key: key)
    for count in 0..<sealed.count {
      #expect(throws: AEADError.self) { _ = try AEAD.open(Array(sealed.prefix(count)), additionalData: [7], key: key) }
    }
  }

  @Test func `other additional data does not open it`() throws {
    let key = try Random.secret(count: 32)
    let sealed = AEAD.seal(try secret("a token"), additionalData: [7], key: key)
    #expect(throws: AEADError.notAuthentic) { _ = try AEAD.open(sealed, additionalData: [8], key: key) }
  }

  @Test func `another key does not open it`() throws {
    let sealed = AEAD.seal(try secret("a token"), additionalData: [], key: try Random.secret(count: 32))
    let other = try Random.secret(count: 32)
    #expect(throws: AEADError.notAuthentic) { _ = try AEAD.open(sealed, additionalData: [], key: other) }
  }
}
