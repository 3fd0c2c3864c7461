import Time

/// The access tokens that reach less than was granted, by what they were narrowed to. In memory only: after a restart
/// they are asked for again.
struct NarrowedTokens {
  /// The most that one account keeps. Beyond it the one that ends first makes room.
  static let capacity = 16
  /// How long a narrowing that the issuer refused is not asked for again.
  static let refusalLife = Duration.seconds(60)
  /// The most refreshes for the sake of narrowing, and within which time: callers may name what they like.
  static let maximumRefreshes = 30
  static let window = Duration.seconds(60)

  private enum Entry {
    case token(Generation)
    case refused(String, until: BootInstant)
  }

  private var entries: [Narrowing: Entry] = [:]
  private var begun: (count: Int, since: BootInstant)?

  /// The token for this narrowing, however old.
  func token(_ narrowing: Narrowing) -> Generation? {
    guard case .token(let token) = entries[narrowing] else { return nil }
    return token
  }

  /// Why the issuer refused this narrowing, as long as it is not asked again.
  func refusal(_ narrowing: Narrowing, at now: BootInstant) -> String? {
    guard case .refused(let why, let until) = entries[narrowing], now < until else { return nil }
    return why
  }

  mutating func keep(_ token: Generation, for narrowing: Narrowing) { put(.token(token), narrowing) }

  mutating func refuse(_ narrowing: Narrowing, _ why: String, at now: BootInstant) {
    put(.refused(why, until: now + Self.refusalLife), narrowing)
  }

  /// Drops the token of a narrowing, if it is the one of `generation`. Says whether it was.
  mutating func drop(_ narrowing: Narrowing, generation: UInt64) -> Bool {
    guard let token = token(narrowing), token.number == generation else { return false }
    entries[narrowing] = nil
    return true
  }

  /// How long to wait for the next refresh, when the window has none left.
  func wait(at now: BootInstant) -> Duration? {
    guard let (count, since) = begun, now - since < Self.window, count >= Self.maximumRefreshes else { return nil }
    return Self.window - (now - since)
  }

  /// A refresh begins.
  mutating func beganRefresh(at now: BootInstant) {
    if let (count, since) = begun, now - since < Self.window {
      begun = (count + 1, since)
    } else {
      begun = (1, now)
    }
  }

  private mutating func put(_ entry: Entry, _ narrowing: Narrowing) {
    if entries[narrowing] == nil, entries.count >= Self.capacity,
      let first = entries.min(by: { Self.end($0.value) < Self.end($1.value) })
    {
      entries[first.key] = nil
    }
    entries[narrowing] = entry
  }

  private static func end(_ entry: Entry) -> BootInstant {
    switch entry {
    case .token(let token): token.expiry
    case .refused(_, let until): until
    }
  }
}
