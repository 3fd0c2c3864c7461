import Time

/// `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
enum RetryAfter {
  /// The seconds that `value` asks to wait from `now`; a date that has passed is 0, and so is a negative number, which
  /// should not be sent. A number that is too large is the largest. Nil when it cannot be read.
  static func seconds(_ value: String, _ now: WallInstant) -> Int64? {
    let isNegative = value.first == "-"
    let digits = isNegative ? value.dropFirst() : value[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      return isNegative ? 0 : Int64(digits) ?? .max
    }
    return HTTPDate.parse(value).map { max(0, $0.seconds - now.seconds) }
  }
}
