import JOSE
import Sodium
import Time

/// An authenticator app that makes a code every thirty seconds (TOTP, RFC 6238), and what of it was used up.
struct TimedCode: Sendable {
  enum Verdict: Equatable {
    case right
    /// Another code, or one that was taken before (RFC 6238 §5.2).
    case wrong
    /// Too many were wrong: none is looked at for so many seconds.
    case tooMany(Int64)
  }

  /// Seconds of a step (RFC 6238 §4.1).
  static let step: Int64 = 30
  static let digits = 6
  /// Steps that the other clock may be off, either way (RFC 6238 §6).
  static let drift: Int64 = 1
  /// Wrong codes in five minutes; with three codes good at a time, a guesser needs years.
  static let limits = [RateLimiter.Limit(most: 5, window: .seconds(300))]

  /// 160 bits (RFC 4226 §4).
  let secret: [UInt8]
  /// The step of the last code that was taken: neither it nor an older one is taken again.
  private var used: Int64?
  private var wrong = RateLimiter(limits)

  init(secret: [UInt8] = Random.bytes(20)) { self.secret = secret }

  /// The secret as a person types it.
  var text: String { Base32.encode(secret) }

  /// What an authenticator reads from a QR code or link. `name` is ours and needs no escaping.
  func address(of name: String) -> String {
    "otpauth://totp/Almoner%20sandbox:\(name)?secret=\(text)&issuer=Almoner%20sandbox&digits=\(Self.digits)&period=\(Self.step)"
  }

  /// Takes a code, once.
  mutating func check(_ code: String, now: Moment) throws -> Verdict {
    if let wait = wrong.waiting([], now: now.boot) { return .tooMany(wait) }
    let current = now.wall.seconds / Self.step
    for step in current - Self.drift...current + Self.drift where try Self.code(secret, step) == code {
      guard used.map({ step > $0 }) ?? true else { break }
      used = step
      return .right
    }
    _ = wrong.admit([], now: now.boot)
    return .wrong
  }

  /// The code of a step (RFC 4226 §5.3).
  private static func code(_ secret: [UInt8], _ step: Int64) throws -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
    let digest = try HMACSHA1.digest(counter, key: secret)
    let offset = Int(digest[digest.count - 1] & 15)
    let number = digest[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
