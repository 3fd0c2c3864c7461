import CSodium
package import Secrets

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): seals bytes so that only who has the key can read or make them.
package enum AEAD {
  /// Bytes in a key.
  package static let keyCount = 32
  /// Bytes of nonce in front of the ciphertext. Long enough to be drawn at random for every message.
  package static let nonceCount = 24
  /// Bytes of tag behind the ciphertext.
  package static let tagCount = 16
  /// How much longer the sealed form is than the plaintext.
  package static let overhead = nonceCount + tagCount

  /// Seals `plaintext`: nonce, ciphertext, tag. `additionalData` is authenticated, not kept.
  package static func seal(_ plaintext: RawSpan, additionalData: [UInt8], key: borrowing SecretBytes) -> [UInt8] {
    seal(plaintext, additionalData: additionalData, key: key, nonce: Random.bytes(nonceCount))
  }

  /// Seals a secret.
  package static func seal(
    _ plaintext: borrowing SecretBytes, additionalData: [UInt8], key: borrowing SecretBytes
  ) -> [UInt8] {
    seal(plaintext.bytes, additionalData: additionalData, key: key)
  }

  /// Opens what ``seal(_:additionalData:key:)-(RawSpan,_,_)`` made with the same key and additional data.
  ///
  /// Throws ``AEADError``; a message that fails says nothing of what it held.
  package static func open(
    _ sealed: RawSpan, additionalData: [UInt8], key: borrowing SecretBytes
  ) throws(AEADError) -> SecretBytes {
    precondition(key.count == keyCount)
    let count = sealed.byteCount - overhead
    guard count >= 0 else { throw .tooShort }
    var isAuthentic = false
    let plaintext: SecretBytes
    do throws(SecretMemoryExhausted) {
      plaintext = unsafe try SecretBytes(count: count) { room in
        isAuthentic = unsafe decrypt(sealed, additionalData, key, into: room)
      }
    } catch {
      throw .memory(error)
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }

  /// Opens a sealed message kept in an array.
  package static func open(
    _ sealed: [UInt8], additionalData: [UInt8], key: borrowing SecretBytes
  ) throws(AEADError) -> SecretBytes {
    unsafe try open(sealed.span.bytes, additionalData: additionalData, key: key)
  }

  /// Seals under a nonce that the caller chose: for known answers. A nonce must never be used twice with one key.
  package static func seal(
    _ plaintext: RawSpan, additionalData: [UInt8], key: borrowing SecretBytes, nonce: [UInt8]
  ) -> [UInt8] {
    precondition(key.count == keyCount && nonce.count == nonceCount)
    var cipher = [UInt8](repeating: 0, count: plaintext.byteCount + tagCount)
    let status = unsafe plaintext.withUnsafeBytes { plain in
      unsafe key.withUnsafeBytes { key in
        guard let key = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress else { return Int32(-1) }
        return unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          &cipher, nil, unsafe plain.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(plain.count),
          additionalData, UInt64(additionalData.count), nil, nonce, key)
      }
    }
    precondition(status == 0)
    return nonce + cipher
  }

  private static func decrypt(
    _ sealed: RawSpan, _ additionalData: [UInt8], _ key: borrowing SecretBytes,
    into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    unsafe sealed.withUnsafeBytes { sealed in
      unsafe key.withUnsafeBytes { key in
        guard let nonce = unsafe sealed.assumingMemoryBound(to: UInt8.self).baseAddress,
          let key = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress
        else { return false }
        return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          unsafe room.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, unsafe nonce + nonceCount,
          UInt64(sealed.count - nonceCount), additionalData, UInt64(additionalData.count), nonce, key) == 0
      }
    }
  }
}

/// Why a sealed message was not opened.
package enum AEADError: Error, Equatable, Sendable {
  /// Shorter than nonce and tag: cut off, or never sealed.
  case tooShort
  /// Another key, other additional data, or changed bytes. Which of them cannot be told.
  case notAuthentic
  case memory(SecretMemoryExhausted)
}
