import JOSE
import JSON
import Secrets
import Testing

struct JSONWebKeyTests {
  @Test(arguments: [
    #"{"kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
    #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcH"}"#,
    #"{"kty":"OKP","crv":"Ed25519","alg":"ES256","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
    #"{"kty":"oct","k":"c2VjcmV0"}"#, #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, "{}", "7", "null",
    Vectors.weakKey,
  ])
  func `a key of no use to us is skipped`(key: String) throws {
    #expect(try keySet(key, Vectors.ecKey).keys.map(\.keyID) == ["e1"])
  }

  @Test(arguments: [
    (#""kty":"EC""#, #""kty":"EC","use":"enc""#), (#""kty":"EC""#, #""kty":"EC","alg":"RS256""#),
    (#""kty":"EC""#, #""kty":"EC","d":"AAAA""#), (#""kty":"EC""#, #""kty":"EC","key_ops":["encrypt"]"#),
    (#""kid":"e1""#, #""kid":1"#), ("BI6Fehb", "CI6Fehb"), ("guSQqV8", "guSQqV8A"),
  ])
  func `a key that is meant for something else or unsound is skipped`(part: String, change: String) throws {
    #expect(try keySet(Vectors.ecKey.replacing(part, with: change)).keys.isEmpty)
  }

  @Test(arguments: ["AQ", "Ag", "AQABAQABAQABAQAB", "", "AAEAAQ"])
  func `an RSA exponent that proves nothing or costs too much is skipped`(exponent: String) throws {
    #expect(try keySet(Vectors.rsaKey.replacing("AQAB", with: exponent)).keys.isEmpty)
  }

  @Test func `a key is bound to one algorithm`() throws {
    #expect(
      try keySet(Vectors.rsaKey, Vectors.ecKey, Vectors.edKey).keys.map(\.algorithm) == [.rs256, .es256, .edDSA])
  }

  @Test(arguments: ["{}", #"{"keys":{}}"#])
  func `a set without an array of keys is refused`(text: String) throws {
    let body = try box(text)
    #expect(throws: JSONWebKeySetError.noKeys) { _ = try JSONWebKeySet(reading: body) }
  }

  @Test func `a page instead of a set is refused`() throws {
    let body = try box("<html>")
    #expect(throws: JSONWebKeySetError.self) { _ = try JSONWebKeySet(reading: body) }
  }

  @Test func `a set of too many keys is refused`() throws {
    let body = try box(#"{"keys":[\#(Array(repeating: "{}", count: 65).joined(separator: ","))]}"#)
    #expect(throws: JSONWebKeySetError.tooManyKeys) { _ = try JSONWebKeySet(reading: body) }
  }
}
