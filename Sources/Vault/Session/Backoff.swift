import Time

/// When the next attempt may start after attempts that failed. Pure; the jitter comes in.
struct Backoff: Equatable {
  static let first = Duration.seconds(1)
  static let cap = Duration.seconds(60)
  /// The most of an issuer's `Retry-After` that is honoured.
  static let retryAfterCap = Duration.seconds(3600)

  private(set) var failures = 0
  private(set) var notBefore: BootInstant?

  /// Notes a failure. `jitter` is 0…1; `retryAfter` is the issuer's wish in seconds, any number.
  mutating func failed(at now: BootInstant, retryAfter: Int64?, jitter: Double) {
    failures += 1
    var delay = min(Self.cap, Self.first * (1 << min(failures - 1, 10)))
    delay += delay * (max(0, min(1, jitter)) / 4)
    if let retryAfter {
      delay = max(delay, min(Self.retryAfterCap, .seconds(max(1, min(retryAfter, 1_000_000)))))
    }
    notBefore = now + delay
  }

  mutating func succeeded() { self = Backoff() }

  /// Seconds until the next attempt, rounded up; nil when it may start now.
  func wait(at now: BootInstant) -> Int? {
    guard let notBefore, notBefore > now else { return nil }
    return Int((notBefore - now).wholeSeconds) + 1
  }
}
