/// Names one account for good: 32 lower-case hexadecimal digits drawn at the first sign-in.
///
/// It names the keyring item, the sealed file and the journal, says nothing about the person, and survives a change of
/// the account's name.
package struct AccountID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Nil unless `text` is exactly 32 lower-case hexadecimal digits, so it is safe as a file name.
  package init?(_ text: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard text.utf8.count == 32, text.utf8.allSatisfy(digits.contains) else { return nil }
    self.text = text
  }

  package var description: String { text }
}
