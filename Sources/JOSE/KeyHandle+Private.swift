import COpenSSL
import Secrets

/// Private keys on P-256 as bytes: the private number, then both coordinates of the public point, 32 each.
extension KeyHandle {
  /// The key of ``SigningKey/storedCount`` such bytes, or nil when they are none, or the halves do not belong together.
  static func p256(stored: SecretBox) -> KeyHandle? {
    guard stored.count == SigningKey.storedCount else { return nil }
    return unsafe stored.withUnsafeBytes { bytes in
      let number = unsafe BN_secure_new()
      defer { unsafe BN_clear_free(number) }
      let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      guard unsafe number != nil, unsafe BN_bin2bn(start, 32, number) != nil else { return nil }
      let point = unsafe [0x04] + bytes[32...]
      return unsafe point.withUnsafeBufferPointer { point in
        unsafe make("EC", keyPair) { builder in
          unsafe OSSL_PARAM_BLD_push_utf8_string(builder, name("group"), name("P-256"), 0) == 1
            && OSSL_PARAM_BLD_push_octet_string(builder, name("pub"), point.baseAddress, point.count) == 1
            && OSSL_PARAM_BLD_push_BN(builder, name("priv"), number) == 1
        }
      }
    }
  }

  /// Writes these bytes of this key into `room`; false when OpenSSL does not give them out.
  func store(into room: UnsafeMutableRawBufferPointer) -> Bool {
    let parts = [OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y]
    for (index, part) in parts.enumerated() {
      guard unsafe write(part, into: UnsafeMutableRawBufferPointer(rebasing: room[(index * 32)..<(index * 32 + 32)]))
      else { return false }
    }
    return true
  }

  /// A coordinate of the public point in 32 bytes.
  func coordinate(_ name: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 32)
    return unsafe bytes.withUnsafeMutableBytes { unsafe write(name, into: $0) } ? bytes : nil
  }

  private func write(_ name: String, into room: UnsafeMutableRawBufferPointer) -> Bool {
    defer { ERR_clear_error() }
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return false }
    defer { unsafe BN_clear_free(number) }
    return unsafe BN_bn2binpad(number, room.assumingMemoryBound(to: UInt8.self).baseAddress, 32) == 32
  }
}
