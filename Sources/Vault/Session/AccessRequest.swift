package import Time

/// What one caller asks of an account.
package struct AccessRequest: Sendable {
  /// The most life that can be asked for; an issuer's lifetime is the limit anyway.
  package static let maximumMinimumLife = Duration.seconds(86_400)

  /// Life that the token should have left.
  package var minimumLife: Duration
  /// Refresh even when not due.
  package var isForced: Bool
  /// When the caller stops waiting.
  package var deadline: BootInstant
  /// A token that reaches less than was granted; nil for the account's own.
  package var narrowing: Narrowing?

  package init(
    minimumLife: Duration = .zero, isForced: Bool = false, deadline: BootInstant, narrowing: Narrowing? = nil
  ) {
    self.minimumLife = min(minimumLife, Self.maximumMinimumLife)
    self.isForced = isForced
    self.deadline = deadline
    self.narrowing = narrowing
  }
}
