/// Numbers (RFC 8259 §6).
extension JSONScanner {
  mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = byte(at: start) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let whole = try wholePart()
    if position < count, Self.marksFraction(byte(at: position)) {
      try fractionAndExponent()
      return .number(try double(from: start))
    }
    guard let magnitude = whole else { return .number(try double(from: start)) }
    if let integer = isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude) {
      return .integer(integer)
    }
    return .number(try double(from: start))
  }

  /// The digits before fraction and exponent, or nil when they are too many for 64 bits.
  private mutating func wholePart() throws(JSONError) -> UInt64? {
    let start = position
    guard try current() != UInt8(ascii: "0") else {
      position += 1
      if position < count, Self.isDigit(byte(at: position)) { throw JSONError(.leadingZero, at: start) }
      return 0
    }
    var sum: UInt64? = 0
    try digits { digit in
      guard let product = sum?.multipliedReportingOverflow(by: 10), !product.overflow else {
        sum = nil
        return
      }
      let next = product.partialValue.addingReportingOverflow(UInt64(digit))
      sum = next.overflow ? nil : next.partialValue
    }
    return sum
  }

  private mutating func fractionAndExponent() throws(JSONError) {
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      try digits { _ in }
    }
    guard position < count, byte(at: position) | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    if position < count, byte(at: position) == UInt8(ascii: "+") || byte(at: position) == UInt8(ascii: "-") {
      position += 1
    }
    try digits { _ in }
  }

  /// Steps over one digit or more.
  private mutating func digits(_ body: (UInt8) -> Void) throws(JSONError) {
    let start = position
    while position < count, Self.isDigit(byte(at: position)) {
      body(byte(at: position) - UInt8(ascii: "0"))
      position += 1
    }
    guard position > start else { throw JSONError(.invalidNumber, at: position) }
  }

  private func double(from start: Int) throws(JSONError) -> Double {
    guard let value = Double(text(start..<position)), value.isFinite else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func marksFraction(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }
}
