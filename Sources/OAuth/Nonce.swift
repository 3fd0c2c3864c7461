package import Secrets
import Sodium

/// `nonce` (OpenID Connect Core §3.1.2.1): ties an ID token to the attempt that asked for it.
package struct Nonce: Sendable {
  /// Random bytes of a new one; 43 characters.
  package static let randomCount = 32

  package let text: SecretBox

  /// Draws a new one.
  package static func random() throws(SecretMemoryExhausted) -> Nonce {
    Nonce(text: SecretBox(try Base64URL.encode(try Random.secret(count: randomCount))))
  }

  private init(text: SecretBox) { self.text = text }
}
