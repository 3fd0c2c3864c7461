/// Durations as people write and read them. Whole seconds.
package enum DurationText {
  /// The longest duration that can be written: 366 days, in seconds.
  package static let longest = 366 * 86_400

  private static let units: [(letter: Character, seconds: Int)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

  /// Reads `90s 5m 2h 1d` or a bare number of seconds; nil for anything else and for more than ``longest``.
  package static func seconds(_ text: String) -> Int? {
    let unit = units.first { $0.letter == text.last }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let seconds = number * (unit?.seconds ?? 1)
    return seconds <= longest ? seconds : nil
  }

  /// The two greatest units of `seconds`: `4m 12s`, `3h`, `2d 5h`; `0s` for none and for less than none.
  package static func words(_ seconds: Int) -> String {
    var rest = max(0, seconds)
    var parts: [String] = []
    for unit in units {
      let count = rest / unit.seconds
      rest %= unit.seconds
      if count > 0 { parts.append("\(count)\(unit.letter)") } else if !parts.isEmpty { break }
      if parts.count == 2 { break }
    }
    return parts.isEmpty ? "0s" : parts.joined(separator: " ")
  }
}
