/// Makes choices and values of a fuzzer's bytes, from the front; when they run out, everything is zero or empty.
struct Choices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
    (0..<MemoryLayout<Number>.size).reduce(0) { sum, _ in sum << 8 | Number(truncatingIfNeeded: byte()) }
  }

  /// One of the values; there has to be one.
  mutating func one<Value>(of values: [Value]) -> Value { values[Int(byte()) % values.count] }

  /// Up to 255 bytes.
  mutating func chunk() -> [UInt8] {
    let count = min(Int(byte()), bytes.count)
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// Text of up to 255 bytes; what is not UTF-8 in it becomes U+FFFD.
  mutating func text() -> String { String(decoding: chunk(), as: UTF8.self) }

  mutating func optional<Value>(_ body: (inout Choices) -> Value) -> Value? { bool() ? body(&self) : nil }

  /// All that is left.
  mutating func rest() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }
}
