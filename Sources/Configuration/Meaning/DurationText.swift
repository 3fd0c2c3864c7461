/// Durations as a person writes them: `90s`, `5m`, `2h`, `1d`.
package enum DurationText {
  /// The longest that is taken: ten years. Longer is a slip of the finger.
  package static let longest = Duration.seconds(3_650 * 86_400)

  /// Nil unless the text is decimal digits and one unit, in range.
  package static func read(_ text: String) -> Duration? {
    guard let seconds = text.last.flatMap(secondsInUnit), let count = Int64(digits: text.dropLast()) else { return nil }
    let product = count.multipliedReportingOverflow(by: seconds)
    let duration = Duration.seconds(product.partialValue)
    return product.overflow || duration > longest ? nil : duration
  }

  /// The shortest text that reads back as the duration, to the second.
  package static func write(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let units: [(Int64, String)] = [(86_400, "d"), (3_600, "h"), (60, "m")]
    let fitting = units.first { seconds > 0 && seconds % $0.0 == 0 } ?? (1, "s")
    return "\(seconds / fitting.0)\(fitting.1)"
  }

  private static func secondsInUnit(_ unit: Character) -> Int64? { ["s": 1, "m": 60, "h": 3_600, "d": 86_400][unit] }
}

extension Int64 {
  /// Decimal digits and nothing else: no sign, no spaces.
  fileprivate init?(digits: Substring) {
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(digits)
  }
}
