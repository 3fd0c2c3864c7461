package import JSON
import Sodium

/// A public key of an issuer that verifies signatures of one algorithm (RFC 7517), checked when it was read.
package struct JSONWebKey: Sendable {
  /// Bits that a modulus must and may have. The upper limit bounds the work of one check.
  package static let rsaModulusBits = 2048...8192
  /// The most bytes of a `kid`.
  package static let maximumKeyID = 256

  /// `kid` (RFC 7517 §4.5).
  package let keyID: String?
  /// The only algorithm that a signature of this key is accepted with.
  package let algorithm: SignatureAlgorithm
  let handle: KeyHandle

  init(keyID: String?, algorithm: SignatureAlgorithm, handle: KeyHandle) {
    self.keyID = keyID
    self.algorithm = algorithm
    self.handle = handle
  }

  /// The key that a JWK describes, or nil when it is none for us: another `kty`, curve, `use` or `alg`, a number that is
  /// missing, too small or unsound, or a private key, whose owner is anybody now (RFC 7517 §5 has such keys ignored).
  package init?(_ object: JSONObject) {
    guard object["d"] == nil, object["k"] == nil, Self.isForVerifying(object), Self.hasSoundKeyID(object),
      case .string(let kind)? = object["kty"], let key = Self.key(kind, object)
    else { return nil }
    switch object["alg"] {
    case nil: break
    case .string(let name)?:
      guard SignatureAlgorithm(named: name) == key.algorithm else { return nil }
    case _?: return nil
    }
    keyID = Self.text(object, "kid")
    algorithm = key.algorithm
    handle = key.handle
  }

  private static func key(_ kind: String, _ object: JSONObject) -> (algorithm: SignatureAlgorithm, handle: KeyHandle)? {
    switch kind {
    case "EC":
      guard text(object, "crv") == "P-256", let x = number(object, "x"), let y = number(object, "y"),
        let handle = KeyHandle.p256(x: x, y: y)
      else { return nil }
      return (.es256, handle)
    case "RSA":
      guard let modulus = number(object, "n"), let exponent = number(object, "e"),
        isSoundRSA(modulus, exponent), let handle = KeyHandle.rsa(modulus: modulus, exponent: exponent)
      else { return nil }
      return (.rs256, handle)
    case "OKP":
      guard text(object, "crv") == "Ed25519", let x = number(object, "x"), let handle = KeyHandle.ed25519(x) else {
        return nil
      }
      return (.edDSA, handle)
    default:
      return nil
    }
  }

  private static func isSoundRSA(_ modulus: [UInt8], _ exponent: [UInt8]) -> Bool {
    guard let first = modulus.first, first != 0, let last = exponent.last, exponent.first != 0 else { return false }
    let bits = modulus.count * 8 - first.leadingZeroBitCount
    // An exponent of 1 would accept every message; one of more than 8 bytes only costs time.
    return rsaModulusBits.contains(bits) && exponent.count <= 8 && last & 1 == 1 && exponent != [1]
  }

  private static func isForVerifying(_ object: JSONObject) -> Bool {
    if let use = object["use"], use != .string("sig") { return false }
    switch object["key_ops"] {
    case nil: return true
    case .array(let operations)?: return operations.contains(.string("verify"))
    case _?: return false
    }
  }

  private static func hasSoundKeyID(_ object: JSONObject) -> Bool {
    switch object["kid"] {
    case nil: true
    case .string(let text)?: text.utf8.count <= maximumKeyID
    case _?: false
    }
  }

  private static func text(_ object: JSONObject, _ name: String) -> String? {
    guard case .string(let text)? = object[name] else { return nil }
    return text
  }

  private static func number(_ object: JSONObject, _ name: String) -> [UInt8]? {
    guard let text = text(object, name), text.utf8.count <= 2048 else { return nil }
    do throws(Base64URLError) { return try Base64URL.decode(text) } catch { return nil }
  }
}
