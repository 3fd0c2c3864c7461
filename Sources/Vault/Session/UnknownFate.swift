import Time

/// What to do about a refresh of unknown fate: `rotation.md`, "Unknown(n)". Pure.
enum UnknownFate: Equatable {
  /// Sending the token again is safe, or there is nothing left to lose.
  case send
  /// Wait until then, and decide again.
  case wait(BootInstant)
  /// Ask the session resource with the old access token.
  case probe
  /// Only the person can mend it.
  case signIn(SignInReason)

  struct Facts: Equatable {
    let policy: RotationPolicy
    /// When the token was first, and last, sent. Nil when that was in another boot.
    let firstSend: BootInstant?
    let lastSend: BootInstant?
    /// How often the token has been sent.
    let sends: UInt32
    /// How often the session resource gave no usable answer.
    let probes: Int
    let accessTokenExpiry: BootInstant
    let now: BootInstant
  }

  /// The old access token must live so long that a 401 means "superseded" and not "expired".
  static let probeMargin = Duration.seconds(30)
  static let maximumProbes = 4
  /// Kept clear of the end of a grace window, for the request's own way.
  static let windowMargin = Duration.seconds(2)

  static func decide(_ facts: Facts) -> Self {
    if facts.sends >= UInt32(facts.policy.maximumSends) { return .signIn(.uncertain) }
    if case .window(let length) = facts.policy.grace, let start = facts.windowStart,
      facts.now + windowMargin < start + length
    {
      return .send
    }
    // Another boot: the old request cannot be under way any more.
    let settled = facts.lastSend.map { $0 + facts.policy.processingLimit } ?? facts.now
    if facts.policy.grace == .untilUsed { return facts.now < settled ? .wait(settled) : .send }
    let alive = facts.accessTokenExpiry > facts.now
    if facts.policy.oracle == .session, facts.probes < maximumProbes {
      let start = max(settled, facts.now)
      if facts.accessTokenExpiry > start + probeMargin { return facts.now < settled ? .wait(settled) : .probe }
    }
    if alive { return .wait(facts.accessTokenExpiry) }
    if facts.policy.reuseBlast == .session { return facts.now < settled ? .wait(settled) : .send }
    return .signIn(.uncertain)
  }
}

extension UnknownFate.Facts {
  /// Since when a grace window may be running: from the sending that arrived first. Only where reuse could end no more
  /// than the session, which without another attempt is as good as lost, the last one is believed to be it.
  fileprivate var windowStart: BootInstant? { policy.reuseBlast == .session ? lastSend : firstSend }
}

extension BootMoment {
  /// The instant, if it is one of this boot.
  func instant(in boot: BootID) -> BootInstant? { self.boot == boot ? instant : nil }
}

extension RotationPolicy {
  /// Whether sending a token of unknown fate again is safe within a window, and may not be after it.
  var isSafeForAWhile: Bool {
    guard case .window = grace else { return false }
    return true
  }
}
