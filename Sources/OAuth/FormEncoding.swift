import Secrets

/// `application/x-www-form-urlencoded` (RFC 6749 appendix B), for queries and bodies.
enum FormEncoding {
  /// Appends a value, everything but RFC 3986's unreserved characters escaped. A space becomes `%20`, which every reader
  /// of queries and of bodies understands.
  static func append(_ value: RawSpan, to buffer: inout WipedBuffer) {
    for offset in 0..<value.byteCount {
      let byte = unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if isUnreserved(byte) {
        buffer.append(byte)
      } else {
        buffer.append(UInt8(ascii: "%"))
        buffer.append(digits[Int(byte >> 4)])
        buffer.append(digits[Int(byte & 15)])
      }
    }
  }

  /// The value of an escaped stretch, or nil when an escape is incomplete.
  static func decode(_ text: UnsafeRawBufferPointer, into buffer: inout WipedBuffer) -> Bool {
    var offset = 0
    while offset < text.count {
      let byte = unsafe text[offset]
      if byte == UInt8(ascii: "%") {
        guard offset + 2 < text.count, let high = unsafe value(text[offset + 1]),
          let low = unsafe value(text[offset + 2])
        else { return false }
        buffer.append(high << 4 | low)
        offset += 3
      } else {
        buffer.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        offset += 1
      }
    }
    return true
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
