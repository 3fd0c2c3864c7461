/// The host that an association file is fetched from, in its one spelling: ASCII, lower case, labels between single dots.
///
/// Whatever could be read as another host by somebody is refused: wildcards, a trailing dot, upper case, user
/// information, a port, an address, and labels in Punycode (RFC 5891), which show as what they are not.
package struct AssociationDomain: Hashable, Sendable {
  /// The most bytes of a host (RFC 1035 §2.3.4).
  package static let maximumCount = 253

  package let text: String

  /// Nil for any other spelling, and for a name without a dot, which is this machine's or the network's own.
  package init?(_ text: String) {
    guard (1...Self.maximumCount).contains(text.utf8.count) else { return nil }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy(Self.isLabel), let last = labels.last, !Self.isNumber(last) else {
      return nil
    }
    self.text = text
  }

  /// Where the file is.
  var url: String { "https://\(text)/.well-known/almoner-association.json" }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
    // RFC 5890 §2.3.1: hyphens in the third and fourth place are kept for encodings such as Punycode.
    guard !label.dropFirst(2).starts(with: [hyphen, hyphen]) else { return false }
    return label.allSatisfy { isDigit($0) || isLetter($0) || $0 == hyphen }
  }

  /// Whether a host that ends in it is an address to somebody (WHATWG URL §3.5).
  private static func isNumber(_ label: Substring.UTF8View) -> Bool {
    label.allSatisfy(isDigit) || (label.starts(with: "0x".utf8) && label.dropFirst(2).allSatisfy(isHexadecimal))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
