import JOSE
import JSON
import Secrets
import Testing

struct VerificationTests {
  private func verify(_ token: String, _ keys: JSONWebKeySet) throws -> VerifiedJWS {
    try UnverifiedJWS(box(token)).verified(with: keys)
  }

  @Test func `the ES256 token of RFC 7515 verifies`() throws {
    let verified = try verify(Vectors.rfcToken, keySet(Vectors.rfcKey))
    #expect(verified.claims["iss"] == .string("joe"))
  }

  @Test func `an ES256 token that another library made verifies`() throws {
    let verified = try verify(Vectors.ecToken, keySet(Vectors.rsaKey, Vectors.ecKey))
    #expect(verified.claims["sub"] == .string("7"))
    #expect(verified.header.type == "jwt")
  }

  @Test func `an RS256 token that another library made verifies`() throws {
    let verified = try verify(Vectors.rsaToken, keySet(Vectors.rsaKey, Vectors.ecKey))
    #expect(verified.header.keyID == "r1")
  }

  @Test(arguments: [Vectors.edToken, Vectors.ed25519Token])
  func `an Ed25519 token that another library made verifies under both of its names`(token: String) throws {
    let verified = try verify(token, keySet(Vectors.rsaKey, Vectors.edKey))
    #expect(verified.claims["sub"] == .string("7") && verified.header.algorithm == .edDSA)
  }

  @Test func `the Ed25519 signature of RFC 8037 holds`() throws {
    let keys = try keySet(Vectors.rfcEdKey)
    // What it is over is no JSON, and looked at only when the signature held.
    #expect { _ = try verify(Vectors.rfcEdToken, keys) } throws: { error in
      if case .malformedClaims? = error as? JWSError { true } else { false }
    }
    let changed = Vectors.rfcEdToken.replacing("hgyY0il", with: "hgyY0im")
    #expect(throws: JWSError.badSignature) { _ = try verify(changed, keys) }
  }

  @Test(arguments: [0, 63, 65, 128])
  func `an Ed25519 signature of another length is refused`(count: Int) throws {
    let token = try UnverifiedJWS(
      forged(header: #"{"alg":"EdDSA","kid":"d1"}"#, signature: [UInt8](repeating: 1, count: count)))
    let keys = try keySet(Vectors.edKey)
    #expect(throws: JWSError.badSignature) { _ = try token.verified(with: keys) }
  }

  @Test func `a token changed in any character of its payload or signature is refused`() throws {
    let keys = try keySet(Vectors.ecKey)
    let characters = Array(Vectors.ecToken)
    let start = try #require(characters.firstIndex(of: ".")) + 1
    for place in start..<characters.count {
      var changed = characters
      changed[place] = characters[place] == "A" ? "B" : "A"
      #expect(throws: JWSError.self) { _ = try verify(String(changed), keys) }
    }
  }

  @Test func `a token of another key is refused`() throws {
    let stranger = Vectors.rfcKey.replacing(#""kty""#, with: #""kid":"e1","kty""#)
    let keys = try keySet(stranger)
    #expect(throws: JWSError.badSignature) { _ = try verify(Vectors.ecToken, keys) }
  }

  @Test func `an unknown kid is told apart, so that keys can be fetched again`() throws {
    let keys = try keySet(Vectors.rsaKey)
    #expect(throws: JWSError.unknownKey) { _ = try verify(Vectors.ecToken, keys) }
  }

  @Test func `a token without kid is refused when two keys could be meant`() throws {
    let keys = try keySet(Vectors.rfcKey, Vectors.ecKey)
    #expect(throws: JWSError.unknownKey) { _ = try verify(Vectors.rfcToken, keys) }
  }

  @Test(arguments: ["none", "None", "HS256", "HS512", "PS256", "ES384", "Ed448", "eddsa", "es256", ""])
  func `an algorithm that is not ours is refused before any key is looked at`(name: String) throws {
    let token = try forged(header: #"{"alg":"\#(name)","kid":"r1"}"#)
    #expect(throws: JWSError.algorithmNotAllowed) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: [("ES256", "r1"), ("RS256", "e1"), ("EdDSA", "e1"), ("ES256", "d1")])
  func `an algorithm that is not the key's is refused`(name: String, keyID: String) throws {
    let token = try UnverifiedJWS(forged(header: #"{"alg":"\#(name)","kid":"\#(keyID)"}"#))
    let keys = try keySet(Vectors.rsaKey, Vectors.ecKey, Vectors.edKey)
    #expect(throws: JWSError.algorithmMismatch) { _ = try token.verified(with: keys) }
  }

  @Test(arguments: [
    #""jku":"https://evil.example/k""#, #""x5u":"https://evil.example/c""#, #""jwk":{"kty":"EC"}"#, #""x5c":["AA"]"#,
  ])
  func `a header that brings or points to its key is refused`(member: String) throws {
    let token = try forged(header: #"{"alg":"ES256",\#(member)}"#)
    #expect(throws: JWSError.keyInHeader) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: [#""crit":["exp"]"#, #""crit":[]"#, #""b64":false"#])
  func `a critical extension is refused`(member: String) throws {
    let token = try forged(header: #"{"alg":"ES256",\#(member)}"#)
    #expect(throws: JWSError.criticalExtension) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: [
    "{}", "[]", "null", #"{"alg":1}"#, #"{"alg":"ES256","alg":"none"}"#, #"{"alg":"ES256","kid":7}"#,
    #"{"alg":"ES256""#,
  ])
  func `a malformed header is refused`(header: String) throws {
    let token = try forged(header: header)
    #expect(throws: JWSError.malformedHeader) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: ["", "opaque", "a.b", "a.b.c.d.e", "...", "eyJhbGciOiJFUzI1NiJ9..."])
  func `what is not three parts is no token for us`(text: String) throws {
    let token = try box(text)
    #expect(throws: JWSError.notCompact) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: ["=", "==", " ", "\n", "+", "/"])
  func `a signature that is not strict base64url is refused`(tail: String) throws {
    let token = try box(Vectors.ecToken + tail)
    #expect(throws: JWSError.malformedEncoding) { _ = try UnverifiedJWS(token) }
  }

  @Test(arguments: [0, 63, 65, 70, 128])
  func `an ES256 signature of another length is refused`(count: Int) throws {
    let token = try UnverifiedJWS(
      forged(header: #"{"alg":"ES256","kid":"e1"}"#, signature: [UInt8](repeating: 1, count: count)))
    let keys = try keySet(Vectors.ecKey)
    #expect(throws: JWSError.badSignature) { _ = try token.verified(with: keys) }
  }

  @Test func `a signature of zeros is refused`() throws {
    let token = try UnverifiedJWS(
      forged(header: #"{"alg":"ES256","kid":"e1"}"#, signature: [UInt8](repeating: 0, count: 64)))
    let keys = try keySet(Vectors.ecKey)
    #expect(throws: JWSError.badSignature) { _ = try token.verified(with: keys) }
  }

  @Test func `a token beyond the limit is refused unread`() throws {
    let token = try box(String(repeating: "a", count: UnverifiedJWS.maximumCount + 1))
    #expect(throws: JWSError.tooLarge) { _ = try UnverifiedJWS(token) }
  }

  @Test func `an error says nothing of the token`() throws {
    #expect(!"\(JWSError.badSignature)".contains("eyJ"))
  }
}
