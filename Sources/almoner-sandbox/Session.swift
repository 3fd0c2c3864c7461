import Time

/// A signed-in person at the issuer, and which of the tokens they got are worth something.
struct Session: Sendable {
  /// What a refresh token is when it is sent.
  enum Standing: Equatable {
    /// Not used yet.
    case current
    /// Used, but the grace policy lets it pass once more.
    case graced
    /// Used: sending it again is reuse.
    case spent
  }

  let id: String
  let person: Person
  /// How they proved who they are (`amr`, RFC 8176).
  let methods: [String]
  /// When the person has to sign in again, whatever is refreshed.
  let expires: WallInstant
  private(set) var isAlive = true
  /// How often tokens were given out.
  private(set) var grants: Int64 = 0

  /// Refresh tokens that were not used: one, or more when a spent one was let pass.
  private var current: Set<String>
  /// The last one that was used, and when first.
  private var predecessor: (token: String, spent: BootInstant)?
  /// Access tokens that came with the current refresh tokens.
  private var accessTokens: [String: BootInstant] = [:]

  /// How long a session lives.
  static let lifetime: Int64 = 30 * 24 * 3600

  init(id: String, person: Person, methods: [String], refreshToken: String, began: WallInstant) {
    self.id = id
    self.person = person
    self.methods = methods
    expires = WallInstant(seconds: began.seconds + Self.lifetime)
    current = [refreshToken]
  }

  /// How a refresh token of this session stands.
  func standing(of token: String, grace: Grace, now: BootInstant) -> Standing {
    if current.contains(token) { return .current }
    guard let predecessor, predecessor.token == token else { return .spent }
    switch grace {
    case .none: return .spent
    case .seconds(let seconds): return now - predecessor.spent <= .seconds(Int64(seconds)) ? .graced : .spent
    case .untilUsed: return .graced
    }
  }

  /// Replaces a token that stands well. All that came with its siblings is superseded.
  mutating func rotate(_ token: String, to new: String, now: BootInstant) {
    if current.contains(token) {
      predecessor = (token, now)
      current = []
      accessTokens = [:]
    }
    current.insert(new)
  }

  mutating func countGrant() { grants += 1 }

  mutating func add(accessToken: String, until expiry: BootInstant) { accessTokens[accessToken] = expiry }

  /// Whether an access token passes at `session/`: neither expired nor superseded nor revoked.
  func honours(_ accessToken: String, now: BootInstant) -> Bool {
    isAlive && accessTokens[accessToken].map { now < $0 } ?? false
  }

  /// Whether an access token was neither superseded nor revoked, expired or not.
  func holds(_ accessToken: String) -> Bool { accessTokens[accessToken] != nil }

  mutating func end() {
    isAlive = false
    accessTokens = [:]
  }
}
