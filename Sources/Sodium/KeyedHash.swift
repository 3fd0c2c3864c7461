import CSodium
package import Secrets

/// BLAKE2b with a key (RFC 7693): names a secret without showing it to who lacks the key.
package enum KeyedHash {
  /// Bytes in a digest.
  package static let digestCount = 32
  /// Bytes in a key.
  package static let keyCount = 32

  /// The digest of `message` under `key`, which must have ``keyCount`` bytes.
  package static func digest(_ message: RawSpan, key: borrowing SecretBytes) -> [UInt8] {
    precondition(key.count == keyCount)
    var digest = [UInt8](repeating: 0, count: digestCount)
    let status = unsafe message.withUnsafeBytes { bytes in
      unsafe key.withUnsafeBytes { key in
        unsafe crypto_generichash(
          &digest, digestCount, unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count),
          unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count)
      }
    }
    precondition(status == 0)
    return digest
  }

  /// The digest of a secret under `key`.
  package static func digest(_ message: borrowing SecretBytes, key: borrowing SecretBytes) -> [UInt8] {
    digest(message.bytes, key: key)
  }
}
