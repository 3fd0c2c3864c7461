package import Secrets
import Sodium

/// `code_verifier` (RFC 7636 §4.1). Never leaves the daemon but in the token request.
package struct CodeVerifier: Sendable {
  /// Random bytes of a new one, as RFC 7636 §7.1 recommends; 43 characters.
  package static let randomCount = 32

  package let text: SecretBox

  /// Draws a new one.
  package static func random() throws(SecretMemoryExhausted) -> CodeVerifier {
    CodeVerifier(text: SecretBox(try Base64URL.encode(try Random.secret(count: randomCount))))
  }

  /// Takes one that exists, or nil unless it has 43…128 characters of `A–Z a–z 0–9 - . _ ~`.
  package init?(_ text: SecretBox) {
    guard (43...128).contains(text.count) else { return nil }
    let isSound = unsafe text.withUnsafeBytes { unsafe $0.allSatisfy(Self.isUnreserved) }
    guard isSound else { return nil }
    self.text = text
  }

  private init(text: SecretBox) { self.text = text }

  /// `code_challenge` for it.
  package var challenge: CodeChallenge { CodeChallenge(s256: text) }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
