import JOSE
import JSON
import OAuth
import Secrets
import Sodium
import Testing
import Time

struct TokenClaimsTests {
  private func claims(_ text: String, header: String = "{}") throws -> TokenClaims {
    let key = try SigningKey.generateES256()
    let object = { (text: String) in unsafe try JSONReader.parseObject(Array(text.utf8).span.bytes) }
    let token = SecretBox(try key.sign(header: object(header), claims: object(text)))
    let published = try #require(JSONWebKey(key.publicJWK))
    return TokenClaims(try UnverifiedJWS(token).verified(with: JSONWebKeySet([published])))
  }

  @Test(arguments: [
    #"{"aud":"me"}"#, #"{"aud":["me"]}"#, #"{"aud":["me","you"],"azp":"me"}"#, #"{"aud":"me","azp":"me"}"#,
  ])
  func `an audience that is the client passes`(text: String) throws { try claims(text).checkAudience("me") }

  @Test(arguments: [
    ("{}", TokenClaimsError.audience), (#"{"aud":"you"}"#, .audience), (#"{"aud":[]}"#, .audience),
    (#"{"aud":["you"]}"#, .audience), (#"{"aud":"me","azp":"you"}"#, .authorizedParty),
    (#"{"aud":["me","you"]}"#, .authorizedParty), (#"{"aud":null}"#, .audience),
  ])
  func `an audience that is another's is refused`(text: String, error: TokenClaimsError) throws {
    let claims = try claims(text)
    #expect(throws: error) { try claims.checkAudience("me") }
  }

  @Test(arguments: [
    (#"{"exp":1100,"iat":1000}"#), (#"{"exp":1100,"iat":1110}"#), (#"{"exp":901,"iat":800}"#),
    (#"{"exp":1100.5,"iat":1e3}"#), (#"{"exp":1100,"iat":1000,"nbf":1120}"#),
  ])
  func `times within the leeway pass`(text: String) throws {
    try claims(text).checkTimes(now: WallInstant(seconds: 1000))
  }

  @Test(arguments: [
    (#"{"exp":880,"iat":800}"#, TokenClaimsError.expired), (#"{"exp":2000,"iat":1121}"#, .notYetValid),
    (#"{"exp":2000,"iat":1000,"nbf":1200}"#, .notYetValid), (#"{"exp":2000}"#, .times), (#"{"iat":1}"#, .times),
    (#"{"exp":"2000","iat":1}"#, .times), (#"{"exp":-1,"iat":1}"#, .times), (#"{"exp":1e300,"iat":1}"#, .times),
  ])
  func `times beyond the leeway are refused`(text: String, error: TokenClaimsError) throws {
    let claims = try claims(text)
    #expect(throws: error) { try claims.checkTimes(now: WallInstant(seconds: 1000)) }
  }

  @Test func `the attempt's nonce passes and no other does`() throws {
    let claims = try claims(#"{"nonce":"n1"}"#)
    try claims.checkNonce(box("n1"))
    #expect(throws: TokenClaimsError.nonce) { try claims.checkNonce(box("n2")) }
    let bare = try self.claims("{}")
    #expect(throws: TokenClaimsError.nonce) { try bare.checkNonce(box("n1")) }
  }

  @Test func `the hash in an Ed25519 token is half a SHA-512`() throws {
    let key = #"{"keys":[{"kty":"OKP","kid":"d1","crv":"Ed25519","x":"Bsrc0ivoeEHHM5bLCg_xZHNb-4piK818iiOYAoxb_9A"}]}"#
    let token = """
      eyJhbGciOiJFZERTQSIsImtpZCI6ImQxIiwidHlwIjoiSldUIn0.\
      eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNyIsImF0X2hhc2giOiJjblAydEZhanVJLW1Oc0xkM21rcVZkalRPdlhMamdTZ0gzMzBZUThEZE1zIn0.\
      D4ZWIgRvDT6F7ilov85ymPdZ_daDw6Oc1vGuYrWGIrJOqnjcJubm42bqnIqn5VYMPxzxFTLwzjGm4aD2qeBkCQ
      """
    let claims = TokenClaims(try UnverifiedJWS(box(token)).verified(with: JSONWebKeySet(reading: box(key))))
    try claims.checkAccessTokenHash(box("opaque-access-token"))
    #expect(throws: TokenClaimsError.accessTokenHash) { try claims.checkAccessTokenHash(box("opaque-access-tokens")) }
  }

  @Test func `the hash of OpenID Connect Core's example access token passes`() throws {
    let claims = try claims(#"{"at_hash":"77QmUPtjPfzWtF2AnpK9RQ"}"#)
    try claims.checkAccessTokenHash(box("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"))
    #expect(throws: TokenClaimsError.accessTokenHash) { try claims.checkAccessTokenHash(box("another")) }
  }

  @Test(
    arguments: [("{}", nil), (#"{"typ":"JWT"}"#, "jwt"), (#"{"typ":"application/at+JWT"}"#, "at+jwt")]
      as [(String, String?)])
  func `a type is compared without its case and prefix`(header: String, type: String?) throws {
    let claims = try claims("{}", header: header)
    try claims.checkType([type])
    #expect(throws: TokenClaimsError.type) { try claims.checkType(["logout+jwt"]) }
  }

  @Test func `an agent's token is refused and a null actor is none`() throws {
    try claims(#"{"act":null}"#).checkNoActor()
    let agent = try claims(#"{"act":{"sub":"bot"}}"#)
    #expect(throws: TokenClaimsError.actor) { try agent.checkNoActor() }
  }

  @Test(arguments: ["{}", #"{"sub":""}"#, #"{"sub":7}"#, #"{"sub":"a\n"}"#])
  func `a token without a subject is refused`(text: String) throws {
    let claims = try claims(text)
    #expect(throws: TokenClaimsError.subject) { _ = try claims.subject() }
  }

  @Test func `another issuer is refused`() throws {
    let claims = try claims(#"{"iss":"https://i.example/"}"#)
    let issuer = try IssuerIdentifier("https://i.example", plainLoopback: false)
    #expect(throws: TokenClaimsError.issuer) { try claims.checkIssuer(issuer) }
  }
}
