/// The languages a person reads, for the issuer's sign-in page.
package enum Locales {
  /// At most this many are passed on.
  package static let most = 5

  /// Language tags (BCP 47) in order of preference: of `LANGUAGE`, then of the first of `LC_ALL`, `LC_MESSAGES` and
  /// `LANG` that is set. `C` and `POSIX` name no language.
  package static func tags(_ environment: Environment) -> [String] {
    let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "C"
    let isLocalised = tag(locale) != nil
    // As in gettext: LANGUAGE counts only beside a locale that is not C.
    let names = (isLocalised ? environment["LANGUAGE"] ?? "" : "").split(separator: ":").map(String.init) + [locale]
    var tags: [String] = []
    for tag in names.compactMap(tag) where !tags.contains(tag) { tags.append(tag) }
    return Array(tags.prefix(most))
  }

  /// `de_AT.UTF-8@euro` as `de-AT`.
  private static func tag(_ name: String) -> String? {
    let base = name.prefix { $0 != "." && $0 != "@" }
    guard base != "C", base != "POSIX", (2...16).contains(base.utf8.count),
      base.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
    else { return nil }
    return base.split { $0 == "_" || $0 == "-" }.joined(separator: "-")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case _: false
    }
  }
}
