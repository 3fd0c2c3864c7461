import COpenSSL
package import JSON
package import Secrets
import Sodium

/// A private key that signs with ES256: what a DPoP proof is signed with, and the tokens of `almoner-sandbox`.
package struct SigningKey: Sendable {
  /// Bytes of a key as it is kept: the private number and both coordinates of the public point, 32 each.
  package static let storedCount = 96

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

  /// A key that was kept as ``stored()`` gave it. Throws ``SigningError/unavailable`` when it is none.
  package init(stored: SecretBox) throws(SigningError) {
    guard let handle = KeyHandle.p256(stored: stored) else { throw .unavailable }
    try self.init(handle)
  }

  /// The key as bytes to be kept like a refresh token.
  package func stored() throws(SigningError) -> SecretBox {
    do {
      return SecretBox(
        unsafe try SecretBytes(capacity: Self.storedCount) { room in
          unsafe handle.store(into: room) ? Self.storedCount : 0
        })
    } catch {
      throw .memory
    }
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
    var jwk = barePublicJWK
    for (name, value) in [("kid", keyID), ("use", "sig"), ("alg", "ES256")] { jwk.append(name, .string(value)) }
    return jwk
  }

  /// The public half with no more than makes the key (RFC 7518 §6.2.1).
  package var barePublicJWK: JSONObject {
    var jwk = JSONObject()
    for (name, value) in [("kty", "EC"), ("crv", "P-256"), ("x", x), ("y", y)] { jwk.append(name, .string(value)) }
    return jwk
  }

  /// A compact JWS over `claims`. `alg` and `kid` are put before the members of `header`, which must not name them.
  package func sign(header: JSONObject = JSONObject(), claims: JSONObject) throws(SigningError) -> SecretBytes {
    var named = JSONObject()
    named.append("kid", .string(keyID))
    for member in header.members { named.append(member.name, member.value) }
    return try sign(unnamed: named, claims: claims)
  }

  /// The same with a header that does not name the key, for those who are shown it whole.
  package func sign(unnamed header: JSONObject, claims: JSONObject) throws(SigningError) -> SecretBytes {
    var full = JSONObject()
    full.append("alg", .string("ES256"))
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

/// Why nothing was signed.
package enum SigningError: Error, Equatable, Sendable {
  /// OpenSSL could not draw a key or sign.
  case unavailable
  /// No room in the locked arena.
  case memory
}
