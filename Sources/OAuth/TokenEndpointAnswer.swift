package import Exchange
import Secrets

/// What a token endpoint's answer means for the refresh token or code that was sent.
///
/// The classes are drawn so that nothing but a clear word of the issuer counts as definite: sending a spent token again
/// may end the whole session, and so may forgetting one that is still good.
package enum TokenEndpointAnswer: Sendable {
  /// There are tokens in it: whatever else is odd, they are stored.
  case granted(TokenResponse)
  /// The refresh token or code is dead.
  case dead(String)
  /// The issuer refuses what we are configured to be or to ask. The tokens are kept.
  case misconfigured(String)
  /// The request was turned away before anybody looked at the token, which is as good as before.
  case declined(String)
  /// Turned away before anybody looked at the token, for want of a proof of possession that the issuer takes (RFC 9449 §5).
  /// Where it gave the nonce that it wants in one (§8), the request made anew is taken.
  case challenged(String, hasNonce: Bool)
  /// It cannot be known whether the token was spent.
  case unknown(String)

  /// What a proof that is wanted means to whoever has no key to make one with.
  package static let wantsProof =
    "the issuer wants proofs of possession: dpop=true in almoner.conf(5), and a sign-in anew"

  package init(_ answer: HTTPAnswer) {
    switch answer.status {
    case 200..<300: self = Self.success(answer)
    case 300..<400:
      self = .misconfigured("the token endpoint redirects (status \(answer.status)), which is not followed")
    case 400, 401: self = Self.refusal(answer)
    case 404, 405, 410, 415: self = .misconfigured("there is no token endpoint for us there (status \(answer.status))")
    case 429, 503: self = Self.later(answer)
    case let status: self = .unknown("the token endpoint answered with status \(status)")
    }
  }

  private static func success(_ answer: HTTPAnswer) -> Self {
    guard !answer.isTruncated else { return .unknown("the token endpoint's answer was too long") }
    switch TokenResponseReading(answer.body) {
    case .object(let response):
      guard response.accessToken != nil || response.refreshToken != nil else {
        return Self.errorWithSuccess(response.error)
      }
      return .granted(response)
    case .truncated: return .unknown("the token endpoint's answer breaks off")
    case .notAnObject: return .unknown("the token endpoint's answer is no JSON object")
    case .memory: return .unknown("no memory is left for secrets")
    }
  }

  /// GitHub says with status 200 what is wrong, in words of its own that nobody else has. Any other error contradicts its
  /// status, and is not believed.
  private static func errorWithSuccess(_ error: TokenErrorCode?) -> Self {
    switch error {
    case .badVerificationCode?: meaning(.badVerificationCode)
    case .badRefreshToken?: meaning(.badRefreshToken)
    case .incorrectClientCredentials?: meaning(.incorrectClientCredentials)
    case nil, .invalidRequest?, .invalidClient?, .invalidGrant?, .unauthorizedClient?, .unsupportedGrantType?,
      .invalidScope?, .unknownField?, .temporarilyUnavailable?, .slowDown?, .authorizationPending?, .accessDenied?,
      .expiredToken?, .useDPoPNonce?, .invalidDPoPProof?, .other?:
      .unknown("the token endpoint's answer holds no token")
    }
  }

  /// 429 says that too many requests came, and that this one was refused for it (RFC 6585 §4): a limiter counts, it does
  /// not redeem. 503 says that the server is unable to handle the request (RFC 9110 §15.6.4), but front ends also say it
  /// of a server that died over it. So 503 counts only with a sign that somebody meant it: `Retry-After`, which belongs to
  /// it, or an OAuth error that says the same. Whoever speaks of the token beside it contradicts himself, and is not
  /// believed; nor is an object that breaks off, since what is missing may speak of it.
  ///
  /// `rotation.md` has both among the unknown. Then an issuer of which nothing is known, and which is only busy when a
  /// token runs out, would cost a sign-in: the old access token can prove nothing, and nobody may send the token again.
  private static func later(_ answer: HTTPAnswer) -> Self {
    let isMeant: Bool
    switch TokenResponseReading(answer.body) {
    case .object(let response):
      switch response.error {
      case .temporarilyUnavailable, .slowDown: isMeant = true
      case .invalidGrant, .badVerificationCode, .badRefreshToken:
        return .unknown("the issuer says invalid_grant with status \(answer.status)")
      case nil, .invalidRequest, .invalidClient, .unauthorizedClient, .unsupportedGrantType, .invalidScope,
        .unknownField, .authorizationPending, .accessDenied, .expiredToken, .incorrectClientCredentials,
        .useDPoPNonce, .invalidDPoPProof, .other:
        isMeant = answer.status == 429 || answer.retryAfter != nil
      }
      guard response.accessToken == nil, response.refreshToken == nil else {
        return .unknown("the issuer's answer with status \(answer.status) holds tokens")
      }
    case .truncated: return .unknown("the issuer's answer with status \(answer.status) breaks off")
    case .notAnObject: isMeant = answer.status == 429 || answer.retryAfter != nil
    case .memory: isMeant = false
    }
    guard isMeant else { return .unknown("the token endpoint answered with status \(answer.status)") }
    return .declined("the issuer asks to come back later (status \(answer.status))")
  }

  private static func refusal(_ answer: HTTPAnswer) -> Self {
    // A real issuer sends an empty 400 for a token that it does not know.
    if answer.status == 400, answer.body.count == 0, !answer.isTruncated {
      return .dead("the issuer refused the token without a word")
    }
    guard !answer.isTruncated, case .object(let response) = TokenResponseReading(answer.body),
      let error = response.error
    else { return .unknown("the token endpoint answered with status \(answer.status) and no error that is known") }
    // Whoever refuses and hands out tokens contradicts himself. Something was done, then.
    guard response.accessToken == nil, response.refreshToken == nil else {
      return .unknown("the issuer's answer with status \(answer.status) holds tokens")
    }
    if error == .useDPoPNonce, answer.dpopNonce != nil {
      return .challenged("the issuer wants its nonce in the proof", hasNonce: true)
    }
    return meaning(error)
  }

  private static func meaning(_ error: TokenErrorCode) -> Self {
    switch error {
    case .invalidGrant, .badVerificationCode, .badRefreshToken: .dead("the issuer says \(error.rawValue)")
    case .invalidClient, .unauthorizedClient, .unsupportedGrantType, .invalidRequest, .invalidScope, .unknownField,
      .incorrectClientCredentials:
      .misconfigured("the issuer says \(error.rawValue)")
    case .useDPoPNonce:
      .challenged("the issuer wants a nonce in the proof of possession, and gives none", hasNonce: false)
    case .invalidDPoPProof:
      .challenged("the issuer refuses the proof of possession; is the clock of this machine right?", hasNonce: false)
    case .temporarilyUnavailable, .slowDown, .authorizationPending, .accessDenied, .expiredToken, .other:
      .unknown("the issuer refused with an error that is not known")
    }
  }
}
