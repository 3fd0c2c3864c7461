import JOSE
import JSON
import Sodium

/// What an authenticator signs beside the client's data (WebAuthn §6.1), taken apart.
///
/// Only what this issuer asks for is understood: one key of ES256, and no extensions.
struct AuthenticatorData {
  /// The credential that was made (WebAuthn §6.5.2).
  struct Attested {
    let credential: [UInt8]
    let key: JSONWebKey
  }

  /// The most bytes of a credential's identifier (WebAuthn §6.5.1).
  static let maximumCredential = 1023
  private static let headCount = 37

  let relyingPartyHash: [UInt8]
  let isPersonPresent: Bool
  let isPersonVerified: Bool
  let counter: UInt32
  let attested: Attested?

  /// Nil for whatever is not read to its last byte.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headCount else { return nil }
    relyingPartyHash = Array(bytes[..<32])
    let flags = bytes[32]
    isPersonPresent = flags & 0x01 != 0
    isPersonVerified = flags & 0x04 != 0
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    let rest = bytes[Self.headCount...]
    let hasExtensions = flags & 0x80 != 0
    guard !hasExtensions else { return nil }
    guard flags & 0x40 != 0 else {
      guard rest.isEmpty else { return nil }
      attested = nil
      return
    }
    guard let attested = Self.attested(Array(rest)) else { return nil }
    self.attested = attested
  }

  /// A model's name of 16 bytes, the identifier behind its length, the key.
  private static func attested(_ bytes: [UInt8]) -> Attested? {
    guard bytes.count > 18 else { return nil }
    let count = Int(bytes[16]) << 8 | Int(bytes[17])
    guard (1...maximumCredential).contains(count), bytes.count > 18 + count else { return nil }
    guard let key = key(Array(bytes[(18 + count)...])) else { return nil }
    return Attested(credential: Array(bytes[18..<18 + count]), key: key)
  }

  /// A COSE key (RFC 9052 §7) of P-256 for ES256. CTAP2's canonical CBOR leaves it one form only: a map of five with kty 2,
  /// alg -7, crv 1, and the two coordinates.
  private static func key(_ bytes: [UInt8]) -> JSONWebKey? {
    let head: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
    let middle: [UInt8] = [0x22, 0x58, 0x20]
    guard bytes.count == 77, Array(bytes[..<10]) == head, Array(bytes[42..<45]) == middle else { return nil }
    var jwk = JSONObject()
    let members = [
      ("kty", "EC"), ("crv", "P-256"), ("x", Base64URL.encode(Array(bytes[10..<42]))),
      ("y", Base64URL.encode(Array(bytes[45...]))),
    ]
    for (name, value) in members { jwk.append(name, .string(value)) }
    return JSONWebKey(jwk)
  }
}
