/// The rule for `resource` (RFC 8707 §2): an absolute URI (RFC 3986 §4.3) without a fragment. It need not be a web address.
package enum ResourceIndicator {
  /// The most characters of one.
  package static let maximumLength = 2048

  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return false
    }
    let rest = text.utf8[text.utf8.index(after: colon)...]
    return isScheme(text.utf8[..<colon]) && !rest.isEmpty && rest.allSatisfy(isAllowed)
  }

  /// RFC 3986 §3.1.
  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// What RFC 3986 lets a URI be written with, the number sign aside.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
