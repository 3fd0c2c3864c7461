import JOSE
import JSON
import Time

/// The issuer's keys: one signs, and retired ones stay published for a day.
struct KeyRing: Sendable {
  /// How long a retired key stays published.
  static let overlap = Duration.seconds(24 * 3600)

  private(set) var current: SigningKey
  private var retired: [(key: SigningKey, until: BootInstant)] = []

  init() throws { current = try SigningKey.generateES256() }

  var signingKeyID: String { current.keyID }

  /// Draws a new key. A compromised one vanishes at once, and with it all that were retired.
  mutating func rotate(compromised: Bool, now: BootInstant) throws {
    let new = try SigningKey.generateES256()
    retired = compromised ? [] : retired.filter { $0.until > now } + [(current, now + Self.overlap)]
    current = new
  }

  /// The key set (RFC 7517 §5) as it is published now.
  func published(now: BootInstant) -> [JSONObject] {
    [current.publicJWK] + retired.filter { $0.until > now }.map(\.key.publicJWK)
  }
}
