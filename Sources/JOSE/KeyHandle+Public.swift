import COpenSSL

/// Public keys from their numbers. Nil is whatever OpenSSL does not take for a sound key.
extension KeyHandle {
  /// A point of P-256, both coordinates in 32 bytes, or nil when it is not on the curve.
  static func p256(x: [UInt8], y: [UInt8]) -> KeyHandle? {
    guard x.count == 32, y.count == 32 else { return nil }
    let point = [0x04] + x + y
    return unsafe point.withUnsafeBufferPointer { point in
      unsafe make("EC") { builder in
        unsafe OSSL_PARAM_BLD_push_utf8_string(builder, name("group"), name("P-256"), 0) == 1
          && OSSL_PARAM_BLD_push_octet_string(builder, name("pub"), point.baseAddress, point.count) == 1
      }
    }
  }

  /// An RSA key from modulus and exponent, big-endian.
  static func rsa(modulus: [UInt8], exponent: [UInt8]) -> KeyHandle? {
    let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil)
    let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil)
    defer {
      unsafe BN_free(n)
      unsafe BN_free(e)
    }
    guard unsafe n != nil, unsafe e != nil else { return nil }
    return unsafe make("RSA") { builder in
      unsafe OSSL_PARAM_BLD_push_BN(builder, name("n"), n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, name("e"), e) == 1
    }
  }

  /// A point of Ed25519 in its 32 bytes (RFC 8032 §5.1.2).
  static func ed25519(_ x: [UInt8]) -> KeyHandle? {
    guard x.count == 32 else { return nil }
    return unsafe x.withUnsafeBufferPointer { x in
      unsafe make("ED25519") { builder in
        unsafe OSSL_PARAM_BLD_push_octet_string(builder, name("pub"), x.baseAddress, x.count) == 1
      }
    }
  }

  /// A text that stays where it is for good: a builder keeps pointers to names and values, not copies.
  static func name(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  static func make(
    _ kind: String, _ selection: Int32 = publicSelection, _ push: (OpaquePointer) -> Bool
  ) -> KeyHandle? {
    // A failed step leaves an entry in OpenSSL's queue of this thread; nobody else is to find it.
    defer { ERR_clear_error() }
    guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
    defer { unsafe OSSL_PARAM_BLD_free(builder) }
    guard unsafe push(builder), let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
    defer { unsafe OSSL_PARAM_free(parameters) }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, kind, nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_fromdata_init(context) == 1,
      unsafe EVP_PKEY_fromdata(context, &key, selection, parameters) == 1, let key = unsafe key
    else { return nil }
    let handle = unsafe KeyHandle(adopting: key)
    return handle.isSound(selection) ? handle : nil
  }

  private func isSound(_ selection: Int32) -> Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe selection == Self.keyPair
      ? EVP_PKEY_pairwise_check(context) == 1 : EVP_PKEY_public_check(context) == 1
  }

  /// `EVP_PKEY_PUBLIC_KEY`, a macro that Swift does not see.
  static let publicSelection = Int32(
    OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
  /// `EVP_PKEY_KEYPAIR`.
  static let keyPair = publicSelection | Int32(OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
}
