import CSodium
package import Secrets

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// Bytes in a digest.
  package static let digestCount = 32

  /// The digest of `message`. Safe to show only when the message cannot be guessed.
  package static func digest(_ message: RawSpan) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestCount)
    unsafe message.withUnsafeBytes { bytes in
      // Cannot fail: the only status the function has is 0.
      _ = unsafe crypto_hash_sha256(
        &digest, unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }
    return digest
  }

  /// The digest of `message`.
  package static func digest(_ message: [UInt8]) -> [UInt8] { unsafe digest(message.span.bytes) }

  /// The digest of a secret.
  package static func digest(_ message: borrowing SecretBytes) -> [UInt8] { digest(message.bytes) }
}
