import Sodium
import Time

/// One visit to `/sign-in` that waits for a person.
struct Transaction: Sendable {
  static let lifetime = Duration.seconds(600)

  let redirect: RegisteredRedirect
  let state: String
  /// S256 (RFC 7636 §4.2).
  let codeChallenge: String
  let started: BootInstant
  /// Who pressed their button and is asked for more; nil before.
  var proving: Proving?
}

/// A code that was given to somebody.
struct AuthorizationCode: Sendable {
  static let lifetime = Duration.seconds(60)

  let transaction: Transaction
  let person: Person
  /// How they proved who they are (`amr`, RFC 8176).
  let methods: [String]
  let issued: BootInstant
  /// The session that it made, once it was redeemed.
  var session: String?

  /// Whether the verifier is well-formed (RFC 7636 §4.1) and hashes to the challenge.
  func isProved(by verifier: String) -> Bool {
    guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.isUnreserved) else { return false }
    return Base64URL.encode(SHA256.digest(Array(verifier.utf8))) == transaction.codeChallenge
  }

  private static func isUnreserved(_ unit: UInt8) -> Bool {
    switch unit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
