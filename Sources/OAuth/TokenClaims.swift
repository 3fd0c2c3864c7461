package import JOSE
import JSON
package import Secrets
import Sodium
package import Time

/// The claims of a verified token, and their checks (RFC 7519 §4.1, OpenID Connect Core §3.1.3.7).
///
/// Each check throws ``TokenClaimsError`` and repeats nothing of the token.
package struct TokenClaims: Sendable {
  /// How far the issuer's clock may be from ours, once what its answers said of it has been allowed for.
  package static let leeway: Int64 = 120
  /// The most characters of `sub` (OpenID Connect Core §2).
  package static let maximumSubject = 255

  private let token: VerifiedJWS

  package init(_ token: VerifiedJWS) { self.token = token }

  /// `iss`, compared as text.
  package func checkIssuer(_ expected: IssuerIdentifier) throws(TokenClaimsError) {
    guard token.claims["iss"] == .string(expected.text) else { throw .issuer }
  }

  /// `aud` holds the client; of several audiences, or when it is there, `azp` is the client as well.
  package func checkAudience(_ clientID: String) throws(TokenClaimsError) {
    let client = JSONValue.string(clientID)
    switch token.claims["aud"] {
    case client?: break
    case .array(let audiences)?:
      guard audiences.contains(client) else { throw .audience }
      guard audiences.count == 1 || token.claims["azp"] == client else { throw .authorizedParty }
    case _: throw .audience
    }
    if let party = token.claims["azp"], party != client { throw .authorizedParty }
  }

  /// `exp` is to come; `iat`, and `nbf` if it is there, are past. `now` is the issuer's wall clock as well as it is known.
  package func checkTimes(now: WallInstant) throws(TokenClaimsError) {
    guard let expiry = try seconds("exp"), let issued = try seconds("iat") else { throw .times }
    guard expiry > now.seconds - Self.leeway else { throw .expired }
    guard issued <= now.seconds + Self.leeway else { throw .notYetValid }
    if let start = try seconds("nbf"), start > now.seconds + Self.leeway { throw .notYetValid }
  }

  /// `nonce` is the attempt's.
  package func checkNonce(_ nonce: SecretBox) throws(TokenClaimsError) {
    guard case .secret(let sent)? = token.claims["nonce"], sent.isEqual(to: nonce) else { throw .nonce }
  }

  /// `at_hash`, if it is there, is the access token's (OpenID Connect Core §3.1.3.6): by the digest of the signature's
  /// own algorithm, which for Ed25519 is SHA-512.
  package func checkAccessTokenHash(_ accessToken: SecretBox) throws(TokenClaimsError) {
    guard let claimed = token.claims["at_hash"] else { return }
    let digest =
      switch token.header.algorithm {
      case .es256, .rs256: SHA256.digest(accessToken.secret)
      case .edDSA: SHA512.digest(accessToken.secret)
      }
    guard claimed == .string(Base64URL.encode(Array(digest.prefix(digest.count / 2)))) else { throw .accessTokenHash }
  }

  /// `typ` of the header is one of `allowed`, in lower case; absent is allowed where nil is listed.
  package func checkType(_ allowed: [String?]) throws(TokenClaimsError) {
    guard allowed.contains(token.header.type) else { throw .type }
  }

  /// `act` (RFC 8693 §4.1) is absent or null: the token is a person's, not an agent's for them.
  package func checkNoActor() throws(TokenClaimsError) {
    switch token.claims["act"] {
    case nil, .null?: return
    case _?: throw .actor
    }
  }

  /// `sub`: 1…255 printable ASCII characters.
  package func subject() throws(TokenClaimsError) -> String {
    guard case .string(let subject)? = token.claims["sub"], Self.isSubject(subject) else { throw .subject }
    return subject
  }

  /// Whether a text can name a subject.
  package static func isSubject(_ text: String) -> Bool {
    (1...maximumSubject).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
  }

  /// A time in seconds since 1970; a fraction is dropped.
  private func seconds(_ name: String) throws(TokenClaimsError) -> Int64? {
    switch token.claims[name] {
    case nil: return nil
    case .integer(let seconds)?:
      guard (0...Self.latest).contains(seconds) else { throw .times }
      return seconds
    case .number(let seconds)?:
      guard (0...Double(Self.latest)).contains(seconds) else { throw .times }
      return Int64(seconds)
    case _?: throw .times
    }
  }

  /// The end of the year 9999.
  private static let latest: Int64 = 253_402_300_799
}

/// Which check a token did not pass.
package enum TokenClaimsError: Error, Equatable, Sendable {
  case issuer
  case audience
  case authorizedParty
  case times
  case expired
  case notYetValid
  case nonce
  case accessTokenHash
  case type
  case actor
  case subject
}

extension TokenClaimsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .issuer: "the token is another issuer's (iss)"
    case .audience: "the token is for another client (aud)"
    case .authorizedParty: "the token was issued to another client (azp)"
    case .times: "the token's times are missing or malformed (exp, iat, nbf)"
    case .expired: "the token has expired (exp)"
    case .notYetValid: "the token is from the future (iat, nbf)"
    case .nonce: "the token belongs to another sign-in (nonce)"
    case .accessTokenHash: "the ID token belongs to another access token (at_hash)"
    case .type: "the token is of another type (typ)"
    case .actor: "the token is an agent's, not a person's (act)"
    case .subject: "the token names no subject (sub)"
    }
  }
}
