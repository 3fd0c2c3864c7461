package import Secrets
import Time

/// Turns a ``StoredRecord`` into the bytes that a store keeps, and back. The bytes never leave the locked arena.
///
/// Layout: the magic `ALM1`, then fields in fixed order; integers little-endian, texts and secrets as a 32-bit length and
/// the bytes, an absent one as length `0xFFFF_FFFF`. The key of bound tokens is the last field, and only there if they are.
package enum RecordCodec {
  static let magic: [UInt8] = Array("ALM1".utf8)
  /// The most claims that are read back.
  static let maximumClaims = 64

  package static func encode(_ record: StoredRecord) throws -> SecretBox {
    var sizer = RecordSizer()
    write(record, to: &sizer)
    let size = sizer.count
    return SecretBox(
      unsafe try SecretBytes(capacity: size) { room in
        var writer = unsafe RecordWriter(room)
        write(record, to: &writer)
        return writer.count
      })
  }

  package static func decode(_ box: SecretBox) throws(RecordError) -> StoredRecord {
    var reader = RecordReader(box)
    try reader.expect(magic)
    guard let account = AccountID(try reader.text()) else { throw .malformed("account") }
    let issuer = try reader.text()
    let machine = try reader.text()
    guard let user = UInt32(exactly: try reader.integer()) else { throw .malformed("user") }
    let generation = try reader.integer()
    guard let journalKey = try reader.secret(), journalKey.count == 32 else { throw .malformed("journal key") }
    let nonce = try reader.secret()
    let tokens = try reader.flag() ? try decodeTokens(&reader) : nil
    let identity = try reader.flag() ? try decodeIdentity(&reader) : nil
    let dpopKey = reader.isAtEnd ? nil : try reader.secret()
    try reader.expectEnd()
    return StoredRecord(
      account: account, issuer: issuer, machine: machine, user: user, generation: generation, journalKey: journalKey,
      tokens: tokens, identity: identity, nonce: nonce, dpopKey: dpopKey)
  }

  private static func write(_ record: StoredRecord, to sink: inout some RecordSink) {
    for byte in magic { sink.put(byte) }
    sink.put(record.account.text)
    sink.put(record.issuer)
    sink.put(record.machine)
    sink.put(UInt64(record.user))
    sink.put(record.generation)
    sink.put(record.journalKey)
    sink.put(record.nonce)
    sink.put(UInt64(record.tokens == nil ? 0 : 1))
    if let tokens = record.tokens { write(tokens, to: &sink) }
    sink.put(UInt64(record.identity == nil ? 0 : 1))
    if let identity = record.identity { write(identity, to: &sink) }
    if let key = record.dpopKey { sink.put(key) }
  }

  private static func write(_ tokens: TokenSet, to sink: inout some RecordSink) {
    sink.put(tokens.accessToken)
    sink.put(tokens.refreshToken)
    sink.put(tokens.idToken)
    sink.put(tokens.tokenType)
    sink.put(tokens.scope)
    sink.put(UInt64(bitPattern: tokens.lifetime.wholeNanoseconds))
    sink.put(UInt64(bitPattern: tokens.receivedAt.nanoseconds))
    sink.put(tokens.receivedBoot.high)
    sink.put(tokens.receivedBoot.low)
    sink.put(UInt64(bitPattern: tokens.receivedWall.seconds))
  }

  private static func write(_ identity: VerifiedIdentity, to sink: inout some RecordSink) {
    sink.put(identity.issuer)
    sink.put(identity.subject)
    sink.put(UInt64(identity.claims.count))
    for claim in identity.claims {
      sink.put(claim.name)
      sink.put(claim.value)
    }
  }

  private static func decodeTokens(_ reader: inout RecordReader) throws(RecordError) -> TokenSet {
    guard let accessToken = try reader.secret() else { throw .malformed("access token") }
    return TokenSet(
      accessToken: accessToken, refreshToken: try reader.secret(), idToken: try reader.secret(),
      tokenType: try reader.text(), scope: try reader.optionalText(),
      lifetime: .nanoseconds(Int64(bitPattern: try reader.integer())),
      receivedAt: BootInstant(nanoseconds: Int64(bitPattern: try reader.integer())),
      receivedBoot: BootID(high: try reader.integer(), low: try reader.integer()),
      receivedWall: WallInstant(seconds: Int64(bitPattern: try reader.integer())))
  }

  private static func decodeIdentity(_ reader: inout RecordReader) throws(RecordError) -> VerifiedIdentity {
    let issuer = try reader.text()
    let subject = try reader.text()
    let count = try reader.integer()
    guard count <= maximumClaims else { throw .malformed("claims") }
    var claims: [VerifiedIdentity.Claim] = []
    for _ in 0..<count {
      claims.append(VerifiedIdentity.Claim(name: try reader.text(), value: try reader.text()))
    }
    return VerifiedIdentity(issuer: issuer, subject: subject, claims: claims)
  }
}

/// Why stored bytes are no record. Names the field, never its content.
package enum RecordError: Error, Equatable, Sendable {
  case malformed(String)
  /// No room in the locked arena: nothing is known of the bytes.
  case memory
}
