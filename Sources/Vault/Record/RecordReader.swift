import Secrets

/// Reads the fields of a record in order; every length is checked against what is left.
struct RecordReader {
  private let box: SecretBox
  private var offset = 0

  /// The longest text or secret that is read.
  static let maximumField = 64 << 10

  init(_ box: SecretBox) { self.box = box }

  mutating func expect(_ magic: [UInt8]) throws(RecordError) {
    guard try take(magic.count) == magic else { throw .malformed("magic") }
  }

  var isAtEnd: Bool { offset == box.count }

  func expectEnd() throws(RecordError) {
    guard isAtEnd else { throw .malformed("trailing bytes") }
  }

  mutating func integer() throws(RecordError) -> UInt64 {
    try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether something follows: 1 or 0. Anything else is no word of ours, and to skip what it announces would lose it.
  mutating func flag() throws(RecordError) -> Bool {
    switch try integer() {
    case 0: return false
    case 1: return true
    case _: throw .malformed("flag")
    }
  }

  mutating func text() throws(RecordError) -> String {
    guard let text = try optionalText() else { throw .malformed("absent text") }
    return text
  }

  mutating func optionalText() throws(RecordError) -> String? {
    guard let length = try length() else { return nil }
    guard let text = String(validating: try take(length), as: UTF8.self) else { throw .malformed("text") }
    return text
  }

  mutating func secret() throws(RecordError) -> SecretBox? {
    guard let length = try length() else { return nil }
    guard length <= box.count - offset else { throw .malformed("length") }
    defer { offset += length }
    do {
      return SecretBox(try SecretBytes(copying: box.secret, offset..<offset + length))
    } catch {
      throw .memory
    }
  }

  private mutating func length() throws(RecordError) -> Int? {
    let length = try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if length == .max { return nil }
    guard length <= Self.maximumField else { throw .malformed("length") }
    return Int(length)
  }

  /// Copies bytes out of the arena: only for what is not secret.
  private mutating func take(_ count: Int) throws(RecordError) -> [UInt8] {
    guard count <= box.count - offset else { throw .malformed("length") }
    defer { offset += count }
    let range = offset..<offset + count
    return unsafe box.withUnsafeBytes { unsafe Array($0[range]) }
  }
}
