/// The signature algorithms of this door (RFC 7518 §3.1). There is no `none`, and nothing that takes a shared secret.
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
  /// ECDSA with P-256 and SHA-256.
  case es256 = "ES256"
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
}
