/// The rule for names of accounts and issuers: 1…64 characters of `A–Z a–z 0–9 . _ -`, starting with a letter or digit.
package enum AccountName {
  package static let maximumLength = 64

  package static func isValid(_ name: String) -> Bool {
    guard (1...maximumLength).contains(name.utf8.count), let first = name.utf8.first else { return false }
    return isAlphanumeric(first)
      && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
