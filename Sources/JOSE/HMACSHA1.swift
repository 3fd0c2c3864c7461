import COpenSSL

/// HMAC with SHA-1 (RFC 2104): for the one-time codes of `almoner-sandbox` (RFC 4226 §5.2), which every authenticator
/// makes with it.
package enum HMACSHA1 {
  /// Bytes in a code.
  package static let digestCount = 20

  /// The code of `message` under `key`. Throws ``SigningError/unavailable`` when OpenSSL makes none.
  package static func digest(_ message: [UInt8], key: [UInt8]) throws(SigningError) -> [UInt8] {
    defer { ERR_clear_error() }
    var digest = [UInt8](repeating: 0, count: digestCount)
    var count: UInt32 = 0
    let made = unsafe HMAC(EVP_sha1(), key, Int32(key.count), message, message.count, &digest, &count)
    guard unsafe made != nil, count == digestCount else { throw .unavailable }
    return digest
  }
}
