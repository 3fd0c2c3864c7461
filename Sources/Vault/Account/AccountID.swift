/// Names one account for good: 32 lower-case hexadecimal digits drawn at the first sign-in.
///
/// It names the keyring item, the sealed file and the journal, says nothing about the person, and survives a change of
/// the account's name.
package struct AccountID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Nil unless `text` is exactly 32 lower-case hexadecimal digits, so it is safe as a file name.
  package init?(_ text: String) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    guard text.utf8.count == 32, text.utf8.allSatisfy(isDigit) else { return nil }
    self.text = text
  }

  package var description: String { text }
}
