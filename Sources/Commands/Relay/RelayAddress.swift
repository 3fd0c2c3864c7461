import Wire

/// Where a relay page will be: an `https` redirect URI, in the one spelling that a browser gives it as well.
package struct RelayAddress: Equatable, Sendable {
  package let text: String

  /// Nil for what a browser would write in another way, or what could not stand in a page as it is: the page compares it
  /// with where it finds itself.
  package init?(_ text: String) {
    let start = "https://"
    guard text.utf8.count <= Wire.Limit.text, text.hasPrefix(start) else { return nil }
    let rest = text.dropFirst(start.count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard authority.utf8.contains(where: Self.isLabel), path.utf8.first == UInt8(ascii: "/"),
      authority.utf8.allSatisfy({ Self.isLabel($0) || ".-:".utf8.contains($0) }), !authority.hasSuffix(":443"),
      path.utf8.allSatisfy({ Self.isLabel($0) || Self.isUpper($0) || "/-._~!$()*+,;=:@%".utf8.contains($0) })
    else { return nil }
    self.text = text
  }

  private static func isLabel(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
