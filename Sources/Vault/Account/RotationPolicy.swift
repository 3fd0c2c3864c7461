/// What is known of an issuer's refresh-token rotation, on which the handling of a refresh of unknown fate rests.
package struct RotationPolicy: Equatable, Sendable {
  /// Whether a spent refresh token may be sent again after a lost answer.
  package enum Grace: Equatable, Sendable {
    case none
    /// For this long after it was spent.
    case window(Duration)
    /// Until its successor is used.
    case untilUsed
  }

  /// Who can say whether a refresh token was spent.
  package enum Oracle: String, Sendable {
    case none
    /// The session resource: a superseded access token fails there at once.
    case session
  }

  /// What the reuse of a spent refresh token destroys (RFC 9700 §4.14.2).
  package enum ReuseBlast: String, Sendable {
    case session
    case user
    case unknown
  }

  package var grace: Grace
  package var oracle: Oracle
  package var reuseBlast: ReuseBlast
  /// How long after its sending a request may still be processed.
  package var processingLimit: Duration = .seconds(15)
  /// The most times one generation's refresh token is sent.
  package var maximumSends = 4
  /// Whether a token response without `refresh_token` means that the old one stays good (RFC 6749 §6).
  package var keepsUnrotated: Bool

  package init(grace: Grace, oracle: Oracle, reuseBlast: ReuseBlast, keepsUnrotated: Bool) {
    self.grace = grace
    self.oracle = oracle
    self.reuseBlast = reuseBlast
    self.keepsUnrotated = keepsUnrotated
  }

  /// Nothing is known: never send a token of unknown fate while anything could be lost.
  package static let unknown = Self(grace: .none, oracle: .none, reuseBlast: .unknown, keepsUnrotated: true)
  /// Didit: no grace, the session resource as oracle, reuse revokes the session.
  package static let didit = Self(grace: .none, oracle: .session, reuseBlast: .session, keepsUnrotated: false)
}
