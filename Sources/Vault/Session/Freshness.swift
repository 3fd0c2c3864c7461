import Time

/// Decides whether a token will do, or a refresh is due. Pure.
enum Freshness: Equatable {
  /// Hand it out.
  case serve
  /// Hand it out, and say that it lives less long than asked: the issuer grants no longer life.
  case serveShorter
  /// Refresh.
  case due

  /// A refresh is due early enough that a probe of an unknown fate still fits.
  static let margin = Duration.seconds(90)

  static func of(_ generation: Generation, asked: Duration, at now: BootInstant) -> Self {
    let left = generation.lifeLeft(at: now)
    let third = generation.lifetime / 3
    if left > .zero, left >= max(asked, min(margin, third)) { return .serve }
    // Younger than a third of its life: another refresh would bring nothing longer.
    if left > .zero, now - generation.receivedAt < third { return left >= asked ? .serve : .serveShorter }
    return .due
  }
}
