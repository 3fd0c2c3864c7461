package import JOSE
import JSON
package import Secrets
import Sodium
package import Time

/// The key that an account's tokens are bound to, and the proofs that it is held (RFC 9449). ES256 is the only algorithm:
/// every issuer that binds tokens takes it.
///
/// It is kept and wiped like a refresh token, and never leaves the daemon.
package struct DPoPKey: Sendable {
  private let key: SigningKey

  /// Draws a new key, as bytes to be kept.
  package static func draw() throws(SigningError) -> SecretBox { try SigningKey.generateES256().stored() }

  /// The key that was kept. Throws ``JOSE/SigningError/unavailable`` when the bytes are none.
  package init(_ stored: SecretBox) throws(SigningError) { key = try SigningKey(stored: stored) }

  /// `dpop_jkt` (RFC 9449 §10): names the key in the authorization request, so that a stolen code is of no use.
  package var thumbprint: String { key.keyID }

  /// A proof for one request (RFC 9449 §4.2), with a `jti` of its own.
  ///
  /// `url` may have query and fragment, which `htu` does not name. `issuedAt` is the wall clock of whoever checks it, as
  /// well as it is known. With `accessToken` the proof is for a resource, and goes with that token alone (`ath`).
  package func proof(
    _ method: String, _ url: String, issuedAt: WallInstant, nonce: String?, accessToken: SecretBox? = nil
  ) throws(SigningError) -> SecretBox {
    var header = JSONObject()
    header.append("typ", .string("dpop+jwt"))
    header.append("jwk", .object(key.barePublicJWK))
    var claims = JSONObject()
    claims.append("jti", .string(Base64URL.encode(Random.bytes(16))))
    claims.append("htm", .string(method))
    claims.append("htu", .string(String(url.prefix { $0 != "?" && $0 != "#" })))
    claims.append("iat", .integer(issuedAt.seconds))
    if let accessToken { claims.append("ath", .string(Base64URL.encode(SHA256.digest(accessToken.secret)))) }
    if let nonce { claims.append("nonce", .string(nonce)) }
    return SecretBox(try key.sign(unnamed: header, claims: claims))
  }
}
