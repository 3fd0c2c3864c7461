import Time

/// When to look again at a step-up, and for how long at all. Pure.
///
/// People take minutes: the first look is soon, so that a quick one is not kept waiting, and later ones come ever more
/// seldom, to a limit.
struct StepUpPatience: Equatable {
  /// How long a pending step-up lives at the vendor.
  static let life = Duration.seconds(1800)
  static let first = Duration.seconds(2)
  static let cap = Duration.seconds(10)
  /// The most of an issuer's `Retry-After` that is honoured.
  static let retryAfterCap = Duration.seconds(300)
  /// Looks that may fail one after the other because of the token, before the session is held to be over.
  static let maximumRefusals = 3

  /// When there is no more to wait for.
  let end: BootInstant
  private var delay = first
  private(set) var refusals = 0

  init(began: BootInstant) { end = began + Self.life }

  /// When to look next; nil when its life is over by then. `retryAfter` is the issuer's wish in seconds, any number.
  mutating func next(at now: BootInstant, retryAfter: Int64? = nil) -> BootInstant? {
    guard now < end else { return nil }
    var pause = delay
    if let retryAfter {
      pause = max(pause, min(Self.retryAfterCap, .seconds(max(1, min(retryAfter, 1_000_000)))))
    }
    delay = min(Self.cap, delay * 3 / 2)
    // Never past the end: the last look is what tells an approval of the last minute.
    return min(now + pause, end)
  }

  /// A look was refused because of the token. Whether there is a point in another one.
  mutating func refused() -> Bool {
    refusals += 1
    return refusals < Self.maximumRefusals
  }

  /// A look was answered.
  mutating func answered() { refusals = 0 }
}
