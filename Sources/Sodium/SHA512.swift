import CSodium
package import Secrets

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
  /// Bytes in a digest.
  package static let digestCount = 64

  /// The digest of a secret. Safe to show only when the secret cannot be guessed.
  package static func digest(_ message: borrowing SecretBytes) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestCount)
    unsafe message.bytes.withUnsafeBytes { bytes in
      // Cannot fail: the only status the function has is 0.
      _ = unsafe crypto_hash_sha512(
        &digest, unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }
    return digest
  }
}
