import Exchange
import OAuth
import Secrets
import Sodium
import Vault

/// How an issuer's token answers become token sets.
struct TokenRules: Sendable {
  /// The lifetime of an access token whose response does not say (RFC 6749 §5.1).
  let assumedLifetime: Duration
  /// Whether a response without `refresh_token` means that the old one stays good (RFC 6749 §6).
  let keepsUnrotated: Bool

  /// What the answer means. `previous` is the generation whose refresh token was sent, nil for a code.
  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    switch TokenEndpointAnswer(answer) {
    case .granted(let response): return granted(response, answer, previous)
    case .dead(let why): return .dead(why)
    case .misconfigured(let why): return .misconfigured(why)
    case .declined(let why): return .declined(why, retryAfter: answer.retryAfter)
    case .challenged(let why, let hasNonce): return .challenged(why, hasNonce: hasNonce)
    case .unknown(let why): return .unknown(why, retryAfter: answer.retryAfter)
    }
  }

  private func granted(_ response: TokenResponse, _ answer: HTTPAnswer, _ previous: TokenSet?) -> TokenAnswer {
    if previous != nil, response.refreshToken == nil, !keepsUnrotated {
      return .unknown("the issuer's answer holds no new refresh token", retryAfter: answer.retryAfter)
    }
    let accessToken: SecretBox
    do throws(SecretMemoryExhausted) {
      accessToken = if let token = response.accessToken { token } else { SecretBox(try Random.secret(count: 0)) }
    } catch {
      return .unknown("no memory is left for secrets", retryAfter: nil)
    }
    var tokens = TokenSet(
      accessToken: accessToken, refreshToken: response.refreshToken ?? previous?.refreshToken,
      idToken: response.idToken, tokenType: response.tokenType ?? "Bearer",
      scope: response.scope ?? previous?.scope, lifetime: lifetime(response), receivedAt: answer.receivedAt,
      receivedBoot: answer.receivedBoot, receivedWall: answer.receivedWall)
    tokens.isScopeUnreadable = response.isScopeUnreadable
    return .granted(tokens)
  }

  private func lifetime(_ response: TokenResponse) -> Duration {
    // Without a token that could be used there is nothing that lives: a refresh is due at once.
    guard response.accessToken != nil else { return .zero }
    return response.expiresIn.map { .seconds($0) } ?? assumedLifetime
  }
}
