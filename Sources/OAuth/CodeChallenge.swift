package import Secrets
import Sodium

/// `code_challenge` (RFC 7636 §4.2) by S256, the only method that is used.
package struct CodeChallenge: Equatable, Sendable {
  /// `code_challenge_method`.
  package static let method = "S256"

  /// 43 characters. Not a secret: the verifier cannot be had from it.
  package let text: String

  /// The challenge of a `code_verifier`: base64url of the SHA-256 of its characters.
  package init(s256 verifier: SecretBox) { text = Base64URL.encode(SHA256.digest(verifier.secret)) }
}
