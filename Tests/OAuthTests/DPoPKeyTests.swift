import JOSE
import JSON
import OAuth
import Secrets
import Sodium
import Testing
import Time

/// Proofs, read as a server reads them (RFC 9449 §4.3).
struct DPoPKeyTests {
  private let key: DPoPKey

  init() throws { key = try DPoPKey(DPoPKey.draw()) }

  /// The claims of a proof. That the key in it has signed it, a real issuer checks in the tests over glewlwyd.
  private func claims(
    _ method: String = "POST", _ url: String = "https://as.example/token?a=b#c", nonce: String? = nil,
    accessToken: String? = nil
  ) throws -> JSONObject {
    let token = try key.proof(
      method, url, issuedAt: WallInstant(seconds: 77), nonce: nonce, accessToken: try accessToken.map(box))
    let parts = try #require(text(token)).split(separator: ".").map { String($0) }
    let header = try object(parts[0])
    guard case .object(let jwk)? = header["jwk"] else { throw Missing.jwk }
    #expect(header["typ"] == .string("dpop+jwt") && header["alg"] == .string("ES256") && header["kid"] == nil)
    #expect(jwk.members.map(\.name) == ["kty", "crv", "x", "y"] && parts.count == 3)
    return try object(parts[1])
  }

  private func object(_ part: String) throws -> JSONObject {
    let bytes = try Base64URL.decode(part)
    return unsafe try JSONReader.parseObject(bytes.span.bytes)
  }

  private enum Missing: Error { case jwk }

  @Test func `a proof names method and address without query and fragment, and when it was made`() throws {
    let claims = try claims()
    #expect(claims["htm"] == .string("POST") && claims["htu"] == .string("https://as.example/token"))
    #expect(claims["iat"] == .integer(77) && claims["ath"] == nil && claims["nonce"] == nil)
  }

  @Test func `every proof has a name of its own`() throws {
    var names: [JSONValue] = []
    for _ in 0..<20 {
      let name = try #require(try claims()["jti"])
      #expect(!names.contains(name))
      names.append(name)
    }
  }

  @Test func `a nonce is repeated, and a token is named by its hash`() throws {
    // The token and hash of RFC 9449 §7.1.
    let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    let claims = try claims(nonce: "eyJ7S_zG.eyJH0-Z.HX4w-7v", accessToken: token)
    #expect(claims["nonce"] == .string("eyJ7S_zG.eyJH0-Z.HX4w-7v"))
    #expect(claims["ath"] == .string("fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"))
  }

  @Test func `the thumbprint is that of the key in the proof`() throws {
    #expect(key.thumbprint.count == 43)
    #expect(try DPoPKey(DPoPKey.draw()).thumbprint != key.thumbprint)
  }
}
