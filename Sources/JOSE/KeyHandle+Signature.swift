import COpenSSL

/// Making and checking signatures: over SHA-256, but for Ed25519, which digests by itself.
extension KeyHandle {
  /// Whether `signature` (DER for ECDSA) is this key's over `message`.
  func verifies(_ signature: [UInt8], by algorithm: SignatureAlgorithm, over message: UnsafeRawBufferPointer) -> Bool {
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    let digest: OpaquePointer? = unsafe algorithm == .edDSA ? nil : EVP_sha256()
    guard unsafe EVP_DigestVerifyInit(context, nil, digest, nil, pointer) == 1 else { return false }
    let bytes = unsafe message.assumingMemoryBound(to: UInt8.self)
    return unsafe EVP_DigestVerify(context, signature, signature.count, bytes.baseAddress, bytes.count) == 1
  }

  /// This key's signature over `message` (DER for ECDSA), or nil when OpenSSL fails.
  func signature(over message: UnsafeRawBufferPointer) -> [UInt8]? {
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1 else { return nil }
    let bytes = unsafe message.assumingMemoryBound(to: UInt8.self)
    var signature = [UInt8](repeating: 0, count: Self.maximumSignature)
    var count = signature.count
    guard unsafe EVP_DigestSign(context, &signature, &count, bytes.baseAddress, bytes.count) == 1 else { return nil }
    return Array(signature.prefix(count))
  }

  /// Bytes that any ECDSA signature with P-256 fits in: DER adds at most 8 to twice 32.
  private static let maximumSignature = 80
}
