import COpenSSL
package import JSON
package import Secrets
import Sodium

/// A private key that signs tokens with ES256: for `almoner-sandbox`, which is an issuer.
package struct SigningKey: Sendable {
  /// The JWK thumbprint of the public key (RFC 7638).
  package let keyID: String
  private let handle: KeyHandle
  private let x: String
  private let y: String

  /// Draws a new key on P-256. Throws ``SigningError/unavailable`` when OpenSSL cannot.
  package static func generateES256() throws(SigningError) -> SigningKey {
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .unavailable }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
    else { throw .unavailable }
    return try SigningKey(unsafe KeyHandle(adopting: key))
  }

  private init(_ handle: KeyHandle) throws(SigningError) {
    guard let x = handle.coordinate(OSSL_PKEY_PARAM_EC_PUB_X), let y = handle.coordinate(OSSL_PKEY_PARAM_EC_PUB_Y)
    else { throw .unavailable }
    self.handle = handle
    self.x = Base64URL.encode(x)
    self.y = Base64URL.encode(y)
    let thumbprint = #"{"crv":"P-256","kty":"EC","x":"\#(self.x)","y":"\#(self.y)"}"#
    keyID = Base64URL.encode(SHA256.digest(Array(thumbprint.utf8)))
  }

  /// The public half, as an issuer publishes it (RFC 7517).
  package var publicJWK: JSONObject {
    var jwk = JSONObject()
    let members = [
      ("kty", "EC"), ("crv", "P-256"), ("x", x), ("y", y), ("kid", keyID), ("use", "sig"), ("alg", "ES256"),
    ]
    for (name, value) in members { jwk.append(name, .string(value)) }
    return jwk
  }

  /// A compact JWS over `claims`. `alg` and `kid` are put before the members of `header`, which must not name them.
  package func sign(header: JSONObject = JSONObject(), claims: JSONObject) throws(SigningError) -> SecretBytes {
    var full = JSONObject()
    full.append("alg", .string("ES256"))
    full.append("kid", .string(keyID))
    for member in header.members { full.append(member.name, member.value) }
    var token = WipedBuffer()
    try Self.append(full, to: &token)
    token.append(UInt8(ascii: "."))
    try Self.append(claims, to: &token)
    let signature = unsafe token.withUnsafeBytes { unsafe handle.signature(over: $0) }
    guard let signature, let raw = ECDSASignature.raw(der: signature) else { throw .unavailable }
    token.append(UInt8(ascii: "."))
    token.append(Base64URL.encode(raw))
    do throws(SecretMemoryExhausted) { return try token.takeSecret() } catch { throw .memory }
  }

  private static func append(_ object: JSONObject, to token: inout WipedBuffer) throws(SigningError) {
    var writer = JSONWriter()
    writer.value(.object(object))
    do throws(SecretMemoryExhausted) {
      var text = writer.finish()
      let encoded = try Base64URL.encode(try text.takeSecret())
      token.append(encoded.bytes)
    } catch {
      throw .memory
    }
  }
}

extension KeyHandle {
  /// A coordinate of the public point in 32 bytes.
  fileprivate func coordinate(_ name: String) -> [UInt8]? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return nil }
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: 32)
    return unsafe BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
  }
}

/// Why nothing was signed.
package enum SigningError: Error, Equatable, Sendable {
  /// OpenSSL could not draw a key or sign.
  case unavailable
  /// No room in the locked arena.
  case memory
}
