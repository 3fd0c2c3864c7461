/// What `Accept-Language` asks for (RFC 9110 §12.5.4, basic filtering by RFC 4647 §3.3.1 on the primary subtag).
struct LanguagePreference {
  /// Ranges that are looked at; a browser sends a handful.
  private static let maximum = 32

  /// Primary subtags in lower case, best first.
  private let languages: [String]

  /// Reads the header's lines. What cannot be read is left out.
  init(_ lines: [String]) {
    let ranges = lines.joined(separator: ",").split(separator: ",").prefix(Self.maximum)
    let weighed = ranges.enumerated().compactMap { place, range -> (String, Double, Int)? in
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let tag = parts.first?.lowercased() else { return nil }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      guard weight > 0, weight <= 1 else { return nil }
      return (String(tag.prefix { $0 != "-" }), weight, place)
    }
    languages = weighed.sorted { ($1.1, $0.2) < ($0.1, $1.2) }.map(\.0)
  }

  /// The texts that suit best; the first ones when none do.
  func choose(from all: [PageTexts]) -> PageTexts {
    for language in languages {
      if let texts = all.first(where: { $0.language == language }) { return texts }
    }
    return all[0]
  }
}
