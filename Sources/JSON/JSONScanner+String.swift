import Secrets

/// Strings (RFC 8259 §7): first measured and checked, then copied once to where they belong.
extension JSONScanner {
  /// A string's place in the input, without its quotation marks, and its length after unescaping.
  private struct Measure {
    var start: Int
    var end: Int
    var length: Int
    var isPlain: Bool
  }

  mutating func string() throws(JSONError) -> String {
    let measure = try measureString()
    if measure.isPlain { return text(measure.start..<measure.end) }
    return unsafe String(unsafeUninitializedCapacity: measure.length) { buffer in
      unsafe unescape(measure, into: UnsafeMutableRawBufferPointer(buffer))
      return measure.length
    }
  }

  /// The same, into the arena.
  mutating func secretString() throws(JSONError) -> SecretBox {
    let measure = try measureString()
    do {
      if measure.isPlain {
        return SecretBox(try SecretBytes(copying: input.extracting(measure.start..<measure.end)))
      }
      let secret = try unsafe SecretBytes(capacity: measure.length) { buffer in
        unsafe unescape(measure, into: buffer)
        return measure.length
      }
      return SecretBox(secret)
    } catch {
      throw JSONError(.secretMemoryExhausted, at: measure.start)
    }
  }

  /// Steps over the string at hand and checks every byte of it.
  private mutating func measureString() throws(JSONError) -> Measure {
    position += 1
    var measure = Measure(start: position, end: position, length: 0, isPlain: true)
    while true {
      let byte = try current()
      switch byte {
      case UInt8(ascii: "\""):
        measure.end = position
        guard measure.length <= limits.stringBytes else { throw JSONError(.stringTooLong, at: measure.start) }
        position += 1
        return measure
      case UInt8(ascii: "\\"):
        measure.isPlain = false
        measure.length += try measureEscape()
      case 0x00..<0x20: throw JSONError(.controlCharacter, at: position)
      case 0x20..<0x80:
        position += 1
        measure.length += 1
      default: measure.length += try measureSequence(byte)
      }
    }
  }

  /// Steps over one UTF-8 sequence of more than one byte (RFC 3629 §4) and returns its length.
  private mutating func measureSequence(_ first: UInt8) throws(JSONError) -> Int {
    let start = position
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw JSONError(.invalidUTF8, at: start)
    }
    for index in 1..<length {
      position += 1
      guard (index == 1 ? second : 0x80...0xBF).contains(try current()) else {
        throw JSONError(.invalidUTF8, at: start)
      }
    }
    position += 1
    return length
  }

  /// Steps over one escape and returns how many bytes of UTF-8 it stands for.
  private mutating func measureEscape() throws(JSONError) -> Int {
    let start = position
    position += 1
    let kind = try current()
    position += 1
    guard kind == UInt8(ascii: "u") else {
      guard Self.plainEscape(kind) != nil else { throw JSONError(.invalidEscape, at: start) }
      return 1
    }
    let unit = try measureHex(start)
    switch unit {
    case 0xDC00...0xDFFF: throw JSONError(.loneSurrogate, at: start)
    case 0xD800...0xDBFF:
      for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
        guard try current() == expected else { throw JSONError(.loneSurrogate, at: start) }
        position += 1
      }
      guard (0xDC00...0xDFFF).contains(try measureHex(start)) else { throw JSONError(.loneSurrogate, at: start) }
      return 4
    default: return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
    }
  }

  private mutating func measureHex(_ start: Int) throws(JSONError) -> UInt32 {
    for _ in 0..<4 {
      guard Self.hexDigit(try current()) != nil else { throw JSONError(.invalidEscape, at: start) }
      position += 1
    }
    return hex(at: position - 4)
  }

  /// Writes a string that has been checked, `measure.length` bytes.
  private func unescape(_ measure: Measure, into buffer: UnsafeMutableRawBufferPointer) {
    var from = measure.start
    var to = 0
    while from < measure.end {
      let byte = byte(at: from)
      from += 1
      guard byte == UInt8(ascii: "\\") else {
        unsafe buffer[to] = byte
        to += 1
        continue
      }
      for unit in UTF8.encode(scalar(after: &from)) ?? .init() {
        unsafe buffer[to] = unit
        to += 1
      }
    }
  }

  /// The character of a checked escape whose backslash is behind us.
  private func scalar(after from: inout Int) -> Unicode.Scalar {
    let kind = byte(at: from)
    from += 1
    if let plain = Self.plainEscape(kind) { return Unicode.Scalar(plain) }
    var value = hex(at: from)
    from += 4
    if (0xD800...0xDBFF).contains(value) {
      value = 0x10000 + (value - 0xD800) << 10 + (hex(at: from + 2) - 0xDC00)
      from += 6
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private func hex(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 4 | UInt32(Self.hexDigit(byte(at: offset + $1)) ?? 0) }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// What a two-byte escape stands for.
  private static func plainEscape(_ kind: UInt8) -> UInt8? {
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): kind
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
