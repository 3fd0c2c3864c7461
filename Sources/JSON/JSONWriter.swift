package import Secrets

/// Writes JSON into a buffer that is wiped, so that secrets pass through without a copy that stays.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///       writer.member("account", "work")
///       writer.member("accessToken", secret: token)
///     }
///     let buffer = writer.finish()
///
/// Whoever writes owns the structure: the writer puts commas, and does not look for a name written twice.
package struct JSONWriter: ~Copyable {
  private var buffer: WipedBuffer
  private var needsComma = false

  /// Writes into a new buffer.
  package init() { buffer = WipedBuffer() }

  /// Goes on behind what `buffer` holds.
  package init(appendingTo buffer: consuming WipedBuffer) { self.buffer = buffer }

  /// Gives the buffer back.
  package consuming func finish() -> WipedBuffer { buffer }

  /// How many bytes the buffer holds.
  package var count: Int { buffer.count }

  // Values: as an array's elements, or as the whole text.

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  package mutating func string(_ text: String) {
    separate()
    unsafe quote(text.utf8.span.bytes)
  }

  /// The secret's bytes as a string. They have to be UTF-8: every reader refuses the text otherwise.
  package mutating func secret(_ box: SecretBox) {
    separate()
    quote(box.secret)
  }

  package mutating func int(_ value: Int64) {
    separate()
    digits(value)
  }

  package mutating func bool(_ value: Bool) {
    separate()
    buffer.append(value ? "true" : "false")
  }

  /// A number with a fraction; it has to be finite.
  package mutating func number(_ value: Double) {
    precondition(value.isFinite, "JSON has no infinity")
    separate()
    buffer.append(value.description)
  }

  package mutating func null() {
    separate()
    buffer.append("null")
  }

  /// A byte outside JSON, such as the NUL that ends a message. The next value starts anew.
  package mutating func raw(_ byte: UInt8) {
    buffer.append(byte)
    needsComma = false
  }

  /// A member's name; its value has to follow.
  package mutating func name(_ name: String) {
    separate()
    unsafe quote(name.utf8.span.bytes)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    buffer.append(open)
    needsComma = false
    body(&self)
    buffer.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ secret: borrowing SecretBytes) { quote(secret.bytes) }

  /// Writes a string, escaping what RFC 8259 §7 demands. What needs no escape is copied in runs.
  private mutating func quote(_ bytes: RawSpan) {
    buffer.append(UInt8(ascii: "\""))
    var done = 0
    while done < bytes.byteCount {
      let end = Self.plainEnd(bytes, from: done)
      buffer.append(bytes.extracting(done..<end))
      done = end
      guard end < bytes.byteCount else { break }
      escape(unsafe bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self))
      done += 1
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Where the first byte is that has to be escaped. A token has a thousand bytes and none of them, so eight are looked
  /// at together.
  private static func plainEnd(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset + 8 <= bytes.byteCount {
      if hasSpecial(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)) { break }
      offset += 8
    }
    while offset < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      offset += 1
    }
    return offset
  }

  /// Whether any of eight bytes has to be escaped: subtracting borrows into the top bit of a byte that is too small.
  private static func hasSpecial(_ eight: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let control = (eight &- ones &* 0x20) & ~eight
    return (control | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & tops != 0
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): buffer.append("\\\"")
    case UInt8(ascii: "\\"): buffer.append("\\\\")
    case 0x08: buffer.append("\\b")
    case 0x09: buffer.append("\\t")
    case 0x0A: buffer.append("\\n")
    case 0x0C: buffer.append("\\f")
    case 0x0D: buffer.append("\\r")
    default:
      buffer.append("\\u00")
      for digit in [byte >> 4, byte & 15] {
        buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  private mutating func digits(_ value: Int64) {
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var scale: UInt64 = 1
    while rest / scale >= 10 { scale *= 10 }
    while scale > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(rest / scale))
      rest %= scale
      scale /= 10
    }
  }
}
