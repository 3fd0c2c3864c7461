package import Secrets
import Sodium

/// `state` (RFC 6749 §4.1.1): ties an authorization response to the attempt that asked for it.
package struct StateParameter: Sendable {
  /// Random bytes of a new one; 43 characters.
  package static let randomCount = 32

  package let text: SecretBox

  /// Draws a new one.
  package static func random() throws(SecretMemoryExhausted) -> StateParameter {
    StateParameter(text: SecretBox(try Base64URL.encode(try Random.secret(count: randomCount))))
  }

  private init(text: SecretBox) { self.text = text }
}
