import JSON
import Testing

/// Whatever is written is read back the same; whatever is read is written as a text that reads the same.
@Suite struct JSONRoundTripTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a random value survives writing and reading`(seed: UInt64) throws {
    var source = Source(state: seed)
    let value = source.value(depth: 4)
    #expect(try read(written(value)) == value)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a damaged text is read or refused, never worse`(seed: UInt64) throws {
    var source = Source(state: seed)
    var bytes = Array(written(source.value(depth: 4)).utf8)
    for _ in 0...source.below(3) { bytes[source.below(bytes.count)] = UInt8(source.below(256)) }
    do throws(JSONError) {
      let value = try read(bytes)
      #expect(try read(written(value)) == value)
    } catch {
      #expect((0...bytes.count).contains(error.offset))
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a text cut short is refused`(seed: UInt64) throws {
    var source = Source(state: seed)
    let bytes = Array(written(.array([source.value(depth: 3)])).utf8)
    #expect(throws: JSONError.self) { try read(Array(bytes[..<source.below(bytes.count)])) }
  }
}

/// SplitMix64, so that a failing seed fails again.
private struct Source {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func value(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 7 : 5) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(Int64(bitPattern: next()) >> Int64(below(63)))
    case 3: .number(Double(sign: .plus, exponent: below(600) - 300, significand: 1.5 + Double(below(1000)) / 4096))
    case 4: .string(string())
    case 5: .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    default: .object(object(depth: depth - 1))
    }
  }

  private mutating func object(depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<below(5) { object.append(string(), value(depth: depth)) }
    return object
  }

  private mutating func string() -> String {
    let alphabet: [Unicode.Scalar] = [
      "\0", "\n", "\"", "\\", "/", "a", "\u{7f}", "é", "€", "\u{fffd}", "😀", "\u{10ffff}",
    ]
    var scalars = String.UnicodeScalarView()
    for _ in 0..<below(8) { scalars.append(alphabet[below(alphabet.count)]) }
    return String(scalars)
  }
}
