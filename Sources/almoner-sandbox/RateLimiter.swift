import Time

/// Counts requests of one address in sliding windows.
struct RateLimiter: Sendable {
  struct Limit: Sendable {
    let most: Int
    let window: Duration
  }

  /// `GET session/`: 30 a minute and 300 an hour.
  static let session = [Limit(most: 30, window: .seconds(60)), Limit(most: 300, window: .seconds(3600))]
  /// Discovery and keys: 1,200 a minute.
  static let discovery = [Limit(most: 1200, window: .seconds(60))]

  private let limits: [Limit]
  /// When each address came, oldest first; no longer than the greatest limit.
  private var visits: [[UInt8]: [BootInstant]] = [:]

  init(_ limits: [Limit]) { self.limits = limits }

  /// Counts a request. Nil: let it pass; otherwise in how many seconds to come again.
  mutating func admit(_ address: [UInt8], now: BootInstant) -> Int64? {
    if let wait = waiting(address, now: now) { return wait }
    let longest = limits.map(\.window).max() ?? .zero
    visits[address] = (visits[address] ?? []).filter { now - $0 < longest } + [now]
    return nil
  }

  /// In how many seconds a request would pass; nil when it would now. Counts nothing.
  func waiting(_ address: [UInt8], now: BootInstant) -> Int64? {
    let seen = visits[address] ?? []
    for limit in limits {
      let inside = seen.filter { now - $0 < limit.window }
      if inside.count >= limit.most { return max(1, (limit.window - (now - inside[0])).wholeSeconds + 1) }
    }
    return nil
  }
}
