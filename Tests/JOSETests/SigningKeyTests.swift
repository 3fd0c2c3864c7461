import JOSE
import JSON
import Secrets
import Testing

struct SigningKeyTests {
  @Test func `what a key signs, its public half verifies`() throws {
    let key = try SigningKey.generateES256()
    let token = SecretBox(try key.sign(header: object(#"{"typ":"at+jwt"}"#), claims: object(#"{"sub":"7","exp":9}"#)))
    let published = try #require(JSONWebKey(key.publicJWK))
    let verified = try UnverifiedJWS(token).verified(with: JSONWebKeySet([published]))
    #expect(verified.claims == (try object(#"{"sub":"7","exp":9}"#)))
    #expect(verified.header.type == "at+jwt")
    #expect(verified.header.keyID == key.keyID)
  }

  @Test func `a hundred signatures all have the raw length`() throws {
    let key = try SigningKey.generateES256()
    let keys = JSONWebKeySet([try #require(JSONWebKey(key.publicJWK))])
    for _ in 0..<100 {
      let token = SecretBox(try key.sign(claims: object("{}")))
      _ = try UnverifiedJWS(token).verified(with: keys)
    }
  }

  @Test func `a key that was kept signs what its public half verifies`() throws {
    let key = try SigningKey.generateES256()
    let stored = try key.stored()
    #expect(stored.count == SigningKey.storedCount)
    let back = try SigningKey(stored: stored)
    #expect(back.keyID == key.keyID && back.publicJWK == key.publicJWK)
    let token = SecretBox(try back.sign(claims: object("{}")))
    _ = try UnverifiedJWS(token).verified(with: JSONWebKeySet([try #require(JSONWebKey(key.publicJWK))]))
  }

  @Test func `bytes that are no key are refused`() throws {
    let stored = try SigningKey.generateES256().stored()
    let bytes = unsafe stored.withUnsafeBytes { unsafe Array($0) }
    let other = try SigningKey.generateES256().stored()
    let foreign = unsafe other.withUnsafeBytes { unsafe Array($0) }
    let off = Array(bytes.dropLast()) + [bytes[95] ^ 1]
    // Cut, grown, no number, a point that is not on the curve, and halves of two keys.
    for wrong in [
      Array(bytes.dropLast()), bytes + [0], Array(repeating: 0, count: 96), off,
      Array(bytes[..<32]) + Array(foreign[32...]),
    ] {
      #expect(throws: SigningError.unavailable) {
        try SigningKey(stored: SecretBox(unsafe try SecretBytes(copying: wrong.span.bytes)))
      }
    }
  }

  @Test func `two keys have two names`() throws {
    #expect(try SigningKey.generateES256().keyID != SigningKey.generateES256().keyID)
  }

  @Test func `the public half names no private number`() throws {
    #expect(try SigningKey.generateES256().publicJWK["d"] == nil)
  }
}
