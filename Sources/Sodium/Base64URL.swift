import CSodium
package import Secrets

/// base64url without padding (RFC 4648 §5, RFC 7515 appendix C), in time that does not depend on the bytes.
package enum Base64URL {
  /// How many characters `count` bytes become.
  package static func encodedCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

  /// Encodes what anybody may see.
  package static func encode(_ bytes: RawSpan) -> String {
    let count = encodedCount(bytes.byteCount)
    return unsafe String(unsafeUninitializedCapacity: count + 1) { room in
      unsafe encode(bytes, into: UnsafeMutableRawBufferPointer(room))
      return count
    }
  }

  /// Encodes what anybody may see.
  package static func encode(_ bytes: [UInt8]) -> String { unsafe encode(bytes.span.bytes) }

  /// Encodes a secret.
  package static func encode(_ secret: borrowing SecretBytes) throws(SecretMemoryExhausted) -> SecretBytes {
    let count = encodedCount(secret.count)
    // The function ends what it writes with a NUL that is no part of the text.
    let ended = unsafe try SecretBytes(count: count + 1) { unsafe encode(secret.bytes, into: $0) }
    return try SecretBytes(copying: ended.bytes.extracting(first: count))
  }

  /// Decodes what anybody may see. Refuses padding, characters outside of the alphabet, impossible lengths, and set
  /// bits behind the last byte, so that no two texts mean the same bytes.
  package static func decode(_ text: RawSpan) throws(Base64URLError) -> [UInt8] {
    let count = text.byteCount * 3 / 4
    var isValid = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, written in
      let decoded = unsafe decode(text, into: UnsafeMutableRawBufferPointer(room))
      isValid = decoded == count
      written = decoded ?? 0
    }
    guard isValid else { throw .malformed }
    return bytes
  }

  /// Decodes what anybody may see.
  package static func decode(_ text: String) throws(Base64URLError) -> [UInt8] {
    unsafe try decode(Array(text.utf8).span.bytes)
  }

  /// Decodes a secret, as strictly as ``decode(_:)-(RawSpan)``.
  package static func decodeSecret(_ text: RawSpan) throws(Base64URLError) -> SecretBytes {
    let count = text.byteCount * 3 / 4
    var isValid = false
    let secret: SecretBytes
    do throws(SecretMemoryExhausted) {
      secret = unsafe try SecretBytes(count: count) { isValid = unsafe decode(text, into: $0) == count }
    } catch {
      throw .memory
    }
    guard isValid else { throw .malformed }
    return secret
  }

  /// Decodes a secret kept as one.
  package static func decodeSecret(_ text: borrowing SecretBytes) throws(Base64URLError) -> SecretBytes {
    try decodeSecret(text.bytes)
  }

  private static func encode(_ bytes: RawSpan, into room: UnsafeMutableRawBufferPointer) {
    guard let text = unsafe room.assumingMemoryBound(to: CChar.self).baseAddress else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe sodium_bin2base64(
        text, room.count,
        unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, urlSafeWithoutPadding)
    }
  }

  private static func decode(_ text: RawSpan, into room: UnsafeMutableRawBufferPointer) -> Int? {
    guard let out = unsafe room.assumingMemoryBound(to: UInt8.self).baseAddress, text.byteCount > 0 else {
      return text.byteCount == 0 ? 0 : nil
    }
    guard isASCII(text) else { return nil }
    var written = 0
    let status = unsafe text.withUnsafeBytes { text in
      unsafe sodium_base642bin(
        out, room.count, unsafe text.assumingMemoryBound(to: CChar.self).baseAddress, text.count,
        nil, &written, nil, urlSafeWithoutPadding)
    }
    return status == 0 ? written : nil
  }

  /// libsodium takes every byte above ASCII for an underscore (measured: 1.0.18).
  private static func isASCII(_ text: RawSpan) -> Bool {
    let all = unsafe text.withUnsafeBytes { unsafe $0.reduce(0) { $0 | $1 } }
    return all < 0x80
  }

  private static let urlSafeWithoutPadding = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
}

/// Why a text was not decoded. What it held is not repeated.
package enum Base64URLError: Error, Equatable, Sendable {
  case malformed
  /// No room in the locked arena.
  case memory
}
