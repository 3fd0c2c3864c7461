/// Names one account for good: 32 lower-case hexadecimal digits drawn at the first sign-in.
///
/// It names the keyring item, the sealed file and the journal, says nothing about the person, and survives a change of
/// the account's name. Kept as the number that the digits write, since a thousand of them may be in memory.
package struct AccountID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// Nil unless `text` is exactly 32 lower-case hexadecimal digits, so it is safe as a file name.
  package init?(_ text: String) {
    guard text.utf8.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    self.high = high
    self.low = low
  }

  /// The 32 digits.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = [high, low].flatMap { half in
      stride(from: 60, through: 0, by: -4).map { digits[Int(half >> UInt64($0) & 0xF)] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  package var description: String { text }
}
