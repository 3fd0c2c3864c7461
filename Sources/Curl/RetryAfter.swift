import Time

/// `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
enum RetryAfter {
  /// The seconds that `value` asks to wait from `now`; a date that has passed is 0. Nil when it cannot be read.
  static func seconds(_ value: String, _ now: WallInstant) -> Int64? {
    if value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return Int64(value) }
    return HTTPDate.parse(value).map { max(0, $0.seconds - now.seconds) }
  }
}
