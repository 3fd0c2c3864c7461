import COpenSSL

/// The two forms of an ECDSA signature with P-256: 64 raw bytes in a JWS (RFC 7518 §3.4), DER in OpenSSL.
enum ECDSASignature {
  /// Bytes of the raw form: R and S, 32 each.
  static let rawCount = 64

  /// DER from raw, or nil unless there are exactly ``rawCount`` bytes.
  static func der(raw: [UInt8]) -> [UInt8]? {
    guard raw.count == rawCount, let signature = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    let r = unsafe raw.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress, 32, nil) }
    let s = unsafe raw.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress.map { unsafe $0 + 32 }, 32, nil) }
    // On success the signature owns both numbers.
    guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return nil
    }
    let count = unsafe i2d_ECDSA_SIG(signature, nil)
    guard count > 0 else { return nil }
    var der = [UInt8](repeating: 0, count: Int(count))
    let written = unsafe der.withUnsafeMutableBufferPointer { room in
      var next = room.baseAddress
      return unsafe i2d_ECDSA_SIG(signature, &next)
    }
    return written == count ? der : nil
  }

  /// Raw from DER that OpenSSL made.
  static func raw(der: [UInt8]) -> [UInt8]? {
    let signature = unsafe der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
    }
    guard let signature = unsafe signature else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    var r = [UInt8](repeating: 0, count: 32)
    var s = [UInt8](repeating: 0, count: 32)
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, 32) == 32,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, 32) == 32
    else { return nil }
    return r + s
  }
}
