import Secrets
import Testing
import Time
import Vault

@Suite struct RecordCodecTests {
  private static func record(dpopKey: String? = nil) throws -> StoredRecord {
    let tokens = TokenSet(
      accessToken: secret("access"), refreshToken: secret("refresh"), idToken: nil, tokenType: "Bearer",
      scope: "openid", lifetime: .milliseconds(299_500), receivedAt: BootInstant(nanoseconds: 7),
      receivedBoot: BootID(high: 1, low: .max), receivedWall: WallInstant(seconds: -3))
    return StoredRecord(
      account: try #require(AccountID(String(repeating: "a", count: 32))), issuer: "https://issuer.test", machine: "m",
      user: 1000,
      generation: 42, journalKey: secret(String(repeating: "k", count: 32)), tokens: tokens,
      identity: VerifiedIdentity(
        issuer: "https://issuer.test", subject: "ada", claims: [.init(name: "email", value: "ada@example.test")]),
      nonce: secret("nonce"), dpopKey: dpopKey.map(secret))
  }

  @Test func `what is encoded is decoded`() throws {
    let record = try Self.record()
    let back = try RecordCodec.decode(RecordCodec.encode(record))
    #expect(back.account == record.account && back.generation == 42 && back.identity == record.identity)
    #expect(text(back.tokens?.accessToken) == "access" && text(back.tokens?.refreshToken) == "refresh")
    #expect(back.tokens?.idToken == nil && back.tokens?.lifetime == .milliseconds(299_500))
    #expect(back.tokens?.receivedWall.seconds == -3 && back.tokens?.receivedBoot.low == .max)
    #expect(text(back.nonce) == "nonce" && back.user == 1000)
  }

  @Test func `a record cut anywhere is malformed and crashes nothing`() throws {
    let whole = try #require(text(RecordCodec.encode(Self.record()).asLatin1))
    for length in 0..<whole.unicodeScalars.count {
      let cut = SecretBox.latin1(String(String.UnicodeScalarView(whole.unicodeScalars.prefix(length))))
      #expect(throws: RecordError.self) { try RecordCodec.decode(cut) }
    }
  }

  @Test func `the key of bound tokens is kept, and a record without one has no field for it`() throws {
    let bound = try RecordCodec.encode(Self.record(dpopKey: "the key"))
    #expect(text(try RecordCodec.decode(bound).dpopKey) == "the key")
    let plain = try RecordCodec.encode(Self.record())
    #expect(try RecordCodec.decode(plain).dpopKey == nil && bound.count == plain.count + 4 + 7)
    let whole = try #require(text(bound.asLatin1))
    for length in plain.count + 1..<bound.count {
      let cut = SecretBox.latin1(String(String.UnicodeScalarView(whole.unicodeScalars.prefix(length))))
      #expect(throws: RecordError.self) { try RecordCodec.decode(cut) }
    }
    #expect(throws: RecordError.malformed("trailing bytes")) { try RecordCodec.decode(.latin1(whole + "x")) }
  }

  @Test func `bytes after a record are refused`() throws {
    let whole = try #require(text(RecordCodec.encode(Self.record()).asLatin1))
    #expect(throws: RecordError.self) { try RecordCodec.decode(.latin1(whole + "x")) }
  }

  @Test func `a flag or a uid that nobody writes is refused, not read past`() throws {
    let account = try #require(AccountID(String(repeating: "a", count: 32)))
    let record = StoredRecord(
      account: account, issuer: "i", machine: "m", user: 1, generation: 0,
      journalKey: secret(String(repeating: "k", count: 32)),
      tokens: nil, identity: nil)
    let whole = try #require(text(RecordCodec.encode(record).asLatin1))
    // The last sixteen bytes are the two flags, behind the absent nonce.
    var flagged = Array(whole.unicodeScalars)
    flagged[flagged.count - 16] = "\u{2}"
    #expect(throws: RecordError.malformed("flag")) { try RecordCodec.decode(.latin1(String(flagged))) }
    var foreign = Array(whole.unicodeScalars)
    foreign[4 + 36 + 5 + 5 + 4] = "\u{1}"
    #expect(throws: RecordError.malformed("user")) { try RecordCodec.decode(.latin1(String(foreign))) }
  }
}

extension String {
  fileprivate init(_ scalars: [Unicode.Scalar]) { self.init(String.UnicodeScalarView(scalars)) }
}

extension SecretBox {
  /// The bytes as text, one scalar a byte, so that a test can cut them.
  var asLatin1: SecretBox {
    let scalars = unsafe withUnsafeBytes { unsafe $0.map { Unicode.Scalar($0) } }
    return VaultTests.secret(String(String.UnicodeScalarView(scalars)))
  }

  static func latin1(_ text: String) -> SecretBox {
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    do {
      return SecretBox(
        try unsafe SecretBytes(capacity: bytes.count) {
          unsafe $0.copyBytes(from: bytes); return bytes.count
        })
    } catch {
      preconditionFailure("the arena is full")
    }
  }
}
