package import JSON
import Sodium

/// Why a JWS was refused. It repeats nothing of the token.
package enum JWSError: Error, Equatable, Sendable {
  case tooLarge
  /// Not three parts: an opaque token, an encrypted one (RFC 7516), or no token at all.
  case notCompact
  /// A part is not strict base64url.
  case malformedEncoding
  case malformedHeader
  /// `none`, a shared secret, or an algorithm that we do not know.
  case algorithmNotAllowed
  /// `crit` or `b64`: an extension that must be understood, and is not.
  case criticalExtension
  /// The header brings its own key or says where to fetch one.
  case keyInHeader
  /// No key of that `kid` is known; keys may have been rotated.
  case unknownKey
  /// The key of that `kid` is for another algorithm.
  case algorithmMismatch
  case badSignature
  case malformedClaims(JSONError)
  /// No room in the locked arena.
  case memory

  init(_ error: Base64URLError) {
    self =
      switch error {
      case .malformed: .malformedEncoding
      case .memory: .memory
      }
  }
}

extension JWSError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge: "the token is too large"
    case .notCompact: "the token is not a compact JWS"
    case .malformedEncoding: "a part of the token is not strict base64url"
    case .malformedHeader: "the token's header is malformed"
    case .algorithmNotAllowed: "the token's algorithm is not allowed"
    case .criticalExtension: "the token's header demands an extension that is not understood"
    case .keyInHeader: "the token's header brings or points to a key of its own"
    case .unknownKey: "the issuer publishes no key of the token's kid"
    case .algorithmMismatch: "the token's algorithm is not that of its key"
    case .badSignature: "the token's signature does not hold"
    case .malformedClaims(let error): "the token's claims are malformed: \(error)"
    case .memory: "no memory is left for secrets"
    }
  }
}
