import CSodium
package import Secrets

/// base64 with padding (RFC 4648 §4), in time that does not depend on the bytes: for what older standards want so.
package enum Base64 {
  /// Encodes a secret.
  package static func encode(_ secret: borrowing SecretBytes) throws(SecretMemoryExhausted) -> SecretBytes {
    let count = (secret.count + 2) / 3 * 4
    // The function ends what it writes with a NUL that is no part of the text.
    let ended = unsafe try SecretBytes(count: count + 1) { room in
      guard let text = unsafe room.assumingMemoryBound(to: CChar.self).baseAddress else { return }
      unsafe secret.bytes.withUnsafeBytes { bytes in
        _ = unsafe sodium_bin2base64(
          text, room.count, unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count,
          Int32(sodium_base64_VARIANT_ORIGINAL))
      }
    }
    return try SecretBytes(copying: ended.bytes.extracting(first: count))
  }
}
