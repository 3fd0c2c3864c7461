/// Walks over one text, byte by byte, and builds its value. Files beside this one hold strings and numbers.
struct JSONScanner: ~Escapable {
  let input: RawSpan
  let count: Int
  let limits: JSONLimits
  let secretMembers: Set<String>
  var position = 0
  private var depth = 0
  /// How many secret members are open: inside one every string is a secret.
  private var secretDepth = 0

  @_lifetime(copy input)
  init(_ input: RawSpan, limits: JSONLimits, secretMembers: Set<String>) {
    self.input = input
    self.limits = limits
    self.secretMembers = secretMembers
    count = input.byteCount
  }

  /// The whole text: one value and white space.
  mutating func text() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == count else { throw JSONError(.trailingBytes, at: position) }
    return value
  }

  func byte(at offset: Int) -> UInt8 { unsafe input.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  /// A stretch of the input as it is.
  func text(_ range: Range<Int>) -> String {
    unsafe input.extracting(range).withUnsafeBytes { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
  }

  /// The byte at hand; ``JSONError/Kind/unexpectedEnd`` when there is none.
  func current() throws(JSONError) -> UInt8 {
    guard position < count else { throw JSONError(.unexpectedEnd, at: position) }
    return byte(at: position)
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    switch try current() {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): secretDepth > 0 ? .secret(try secretString()) : .string(try string())
    case UInt8(ascii: "t"): try literal("true", .bool(true))
    case UInt8(ascii: "f"): try literal("false", .bool(false))
    case UInt8(ascii: "n"): try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: throw JSONError(.unexpectedByte, at: position)
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try enter()
    var object = JSONObject()
    if try !closes(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        try member(of: &object)
        skipSpace()
      } while try continues(until: UInt8(ascii: "}"))
    }
    depth -= 1
    return .object(object)
  }

  private mutating func member(of object: inout JSONObject) throws(JSONError) {
    let start = position
    guard try current() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: position) }
    guard object.members.count < limits.members else { throw JSONError(.tooManyMembers, at: start) }
    let name = try string()
    skipSpace()
    try expect(UInt8(ascii: ":"))
    skipSpace()
    let isSecret = !secretMembers.isEmpty && secretMembers.contains(name)
    if isSecret { secretDepth += 1 }
    let value = try value()
    if isSecret { secretDepth -= 1 }
    guard object.append(name, value) else { throw JSONError(.duplicateMember, at: start) }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    if try !closes(UInt8(ascii: "]")) {
      repeat {
        skipSpace()
        guard elements.count < limits.elements else { throw JSONError(.tooManyElements, at: position) }
        elements.append(try value())
        skipSpace()
      } while try continues(until: UInt8(ascii: "]"))
    }
    depth -= 1
    return .array(elements)
  }

  private mutating func enter() throws(JSONError) {
    guard depth < limits.depth else { throw JSONError(.tooDeep, at: position) }
    depth += 1
    position += 1
  }

  /// Whether an array or object is empty; then its end is behind us.
  private mutating func closes(_ end: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard try current() == end else { return false }
    position += 1
    return true
  }

  /// Steps over a comma (true) or `end` (false).
  private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
    let byte = try current()
    guard byte == end || byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: position) }
    position += 1
    return byte != end
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for offset in 0..<word.utf8CodeUnitCount { try expect(unsafe word.utf8Start[offset]) }
    return value
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try current() == byte else { throw JSONError(.unexpectedByte, at: position) }
    position += 1
  }

  private mutating func skipSpace() {
    while position < count {
      switch byte(at: position) {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}
