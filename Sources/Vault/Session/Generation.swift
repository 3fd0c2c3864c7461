import Secrets
import Time

/// One generation of an account's tokens in memory. The ID token is not kept.
struct Generation: Sendable {
  let number: UInt64
  let accessToken: SecretBox
  /// The generation that brought the access token: an earlier one where narrowed refreshes came since, which leave it alone.
  private(set) var accessNumber: UInt64
  let refreshToken: SecretBox?
  let tokenType: String
  let scope: String?
  let lifetime: Duration
  let receivedAt: BootInstant
  let expiry: BootInstant
  /// Whether the tokens passed their checks. What has not is never served.
  var isVerified: Bool
  /// Whether the store is known to hold this generation. Until it does, the journal's pad is the only copy.
  var isStored: Bool

  init(number: UInt64, _ tokens: TokenSet, clock: any Clock, isVerified: Bool, isStored: Bool) {
    self.number = number
    accessNumber = number
    accessToken = tokens.accessToken
    refreshToken = tokens.refreshToken
    tokenType = tokens.tokenType
    scope = tokens.scope
    lifetime = min(tokens.lifetime, Self.maximumLifetime)
    let now = clock.now
    if tokens.receivedBoot == clock.bootID, tokens.receivedAt <= now {
      receivedAt = tokens.receivedAt
      expiry = tokens.receivedAt + lifetime
    } else {
      // Another boot: only the wall clock knows how long it was. A clock that ran backwards grants no life.
      let elapsed = clock.wall.seconds.subtractingReportingOverflow(tokens.receivedWall.seconds).partialValue
      let left = elapsed < 0 ? .zero : max(.zero, lifetime - .seconds(elapsed))
      // Its age goes with it: a token that died long ago was not received just now.
      receivedAt = now + (left - lifetime)
      expiry = now + left
    }
    self.isVerified = isVerified
    self.isStored = isStored
  }

  /// The longest life that we believe of an access token, whatever `expires_in` says.
  static let maximumLifetime = Duration.seconds(30 * 86_400)

  /// Whether a caller that was handed a token of `generation` has the present access token.
  func isPresent(in generation: UInt64) -> Bool { accessNumber <= generation && generation <= number }

  /// Takes over the number of the access token where `old` had the same one.
  mutating func follow(_ old: Generation) {
    if accessToken.isEqual(to: old.accessToken) { accessNumber = old.accessNumber }
  }

  func lifeLeft(at now: BootInstant) -> Duration { max(.zero, expiry - now) }
}
