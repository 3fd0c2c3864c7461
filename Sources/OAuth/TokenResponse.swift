package import Secrets

/// What a token endpoint put into the JSON object of its answer (RFC 6749 §5.1, §5.2), read leniently: nothing beside the
/// tokens, however odd, makes a token be lost.
package struct TokenResponse: Sendable {
  /// The most bytes of one token.
  package static let maximumToken = 16 << 10
  /// The most seconds of life that are believed: a year.
  package static let maximumLifetime: Int64 = 365 * 86400

  /// `access_token`. Nil also when it could not stand in a header field (RFC 6750 §2.1 wants printable ASCII).
  package var accessToken: SecretBox?
  /// `refresh_token`.
  package var refreshToken: SecretBox?
  /// `id_token` (OpenID Connect Core §3.1.3.3).
  package var idToken: SecretBox?
  /// `token_type`, if it is a word.
  package var tokenType: String?
  /// `scope`, if it is printable ASCII.
  package var scope: String?
  /// Whether there is a `scope` that is anything else.
  package var isScopeUnreadable = false
  /// `expires_in` in seconds, within 0…``maximumLifetime``, whether it came as a number or as text.
  package var expiresIn: Int64?
  /// `error`.
  package var error: TokenErrorCode?

  init() {}
}

/// `error` of a token error response (RFC 6749 §5.2). The wire's text is not kept: it may hold anything.
package enum TokenErrorCode: String, CaseIterable, Sendable {
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case unauthorizedClient = "unauthorized_client"
  case unsupportedGrantType = "unsupported_grant_type"
  case invalidScope = "invalid_scope"
  /// Didit's, for a field that its grant does not have.
  case unknownField = "unknown_field"
  /// GitHub's, for a code.
  case badVerificationCode = "bad_verification_code"
  /// GitHub's, for a refresh token.
  case badRefreshToken = "bad_refresh_token"
  /// GitHub's, for the client.
  case incorrectClientCredentials = "incorrect_client_credentials"
  /// RFC 6749 §4.1.2.1 has it for the authorization endpoint; token endpoints say it too.
  case temporarilyUnavailable = "temporarily_unavailable"
  /// This and the three below: RFC 8628 §3.5.
  case slowDown = "slow_down"
  case authorizationPending = "authorization_pending"
  case accessDenied = "access_denied"
  case expiredToken = "expired_token"
  /// This and the next: RFC 9449 §5 and §8.
  case useDPoPNonce = "use_dpop_nonce"
  case invalidDPoPProof = "invalid_dpop_proof"
  /// Any other.
  case other
}
