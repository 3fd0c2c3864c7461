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

  @Test func `two keys have two names`() throws {
    #expect(try SigningKey.generateES256().keyID != SigningKey.generateES256().keyID)
  }

  @Test func `the public half names no private number`() throws {
    #expect(try SigningKey.generateES256().publicJWK["d"] == nil)
  }
}
