package import JSON

/// A JWS whose signature held under a key of its issuer. Only ``UnverifiedJWS/verified(with:)`` makes one.
///
/// Whether it is meant for us, and still good, is another question: OAuth's checks of claims answer it.
package struct VerifiedJWS: Equatable, Sendable {
  /// Claims that are read as secrets: they bind the token to an attempt.
  package static let secretClaims: Set<String> = ["nonce"]

  package let header: JWSHeader
  /// The claims (RFC 7519 §4), in the token's order.
  package let claims: JSONObject

  init(header: JWSHeader, claims: JSONObject) {
    self.header = header
    self.claims = claims
  }
}
