/// The signature algorithms of this door (RFC 7518 §3.1, RFC 8037 §3.1). There is no `none`, and nothing that takes a
/// shared secret.
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
  /// ECDSA with P-256 and SHA-256.
  case es256 = "ES256"
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
  /// EdDSA; with Ed25519 only.
  case edDSA = "EdDSA"

  /// The algorithm of an `alg`. `Ed25519` (RFC 9864 §2.2) is the newer name of what ``edDSA`` is here.
  init?(named name: String) {
    if name == "Ed25519" { self = .edDSA } else { self.init(rawValue: name) }
  }
}
