import Secrets

/// Walks over the members of one JSON object and picks out those of a token response. It forgives whatever does not hide
/// where a string or the object ends.
@safe struct TokenResponseScanner {
  enum Stop: Error {
    case truncated
    case notAnObject
    case memory
  }

  /// Borrowed from whoever made the scanner, for as long as the scanner lives.
  private let bytes: UnsafeRawBufferPointer
  private let count: Int
  private var offset = 0
  private var response = TokenResponse()

  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
    count = bytes.count
  }

  /// The whole object. What follows it is not looked at.
  mutating func object() throws(Stop) -> TokenResponse {
    skip { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    guard offset < count, unsafe bytes[offset] == UInt8(ascii: "{") else { throw .notAnObject }
    offset += 1
    while true {
      skip { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
      switch try peek() {
      case UInt8(ascii: "}"): return response
      case UInt8(ascii: "\""): try member()
      default: throw .notAnObject
      }
    }
  }

  private mutating func member() throws(Stop) {
    let name = try string()
    skip { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
    switch try peek() {
    case UInt8(ascii: "\""): try take(name, try string())
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      noteNested(name)
      try skipNested()
    default: takeLiteral(name, try literal())
    }
  }

  /// A string's bytes between its quotation marks, escapes and all.
  private mutating func string() throws(Stop) -> Range<Int> {
    offset += 1
    let start = offset
    while offset < count {
      switch unsafe bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return start..<offset - 1
      case UInt8(ascii: "\\"): offset += 2
      default: offset += 1
      }
    }
    throw .truncated
  }

  private mutating func literal() throws(Stop) -> Range<Int> {
    let start = offset
    skip { $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "]") }
    guard offset < count else { throw .truncated }
    // A byte that starts nothing: step over it, so that the walk always goes on.
    if offset == start { offset += 1 }
    return start..<offset
  }

  /// Steps over an array or object, without calling itself: depth costs no stack.
  private mutating func skipNested() throws(Stop) {
    var depth = 0
    repeat {
      switch try peek() {
      case UInt8(ascii: "\""): _ = try string()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
      default: offset += 1
      }
    } while depth > 0
  }

  private func peek() throws(Stop) -> UInt8 {
    guard offset < count else { throw .truncated }
    return unsafe bytes[offset]
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while offset < count, unsafe isSkipped(bytes[offset]) { offset += 1 }
  }
}

/// What the members mean.
extension TokenResponseScanner {
  private mutating func take(_ name: Range<Int>, _ value: Range<Int>) throws(Stop) {
    switch word(name, limit: 32) {
    case "access_token": response.accessToken = try token(value) { $0 > 0x20 && $0 < 0x7f }
    case "refresh_token": response.refreshToken = try token(value) { _ in true }
    case "id_token": response.idToken = try token(value) { $0 > 0x20 && $0 < 0x7f }
    case "token_type": response.tokenType = word(value, limit: 64)
    case "scope":
      response.scope = word(value, limit: 4096)
      response.isScopeUnreadable = response.scope == nil && !value.isEmpty
    case "expires_in": response.expiresIn = word(value, limit: 32).flatMap(Self.seconds)
    case "error": response.error = word(value, limit: 64).flatMap(TokenErrorCode.init(rawValue:)) ?? .other
    case "code": if response.error == nil { response.error = word(value, limit: 64).flatMap(TokenErrorCode.init) }
    default: break
    }
  }

  private mutating func takeLiteral(_ name: Range<Int>, _ value: Range<Int>) {
    switch word(name, limit: 32) {
    case "expires_in": response.expiresIn = word(value, limit: 32).flatMap(Self.seconds)
    case "scope": response.isScopeUnreadable = word(value, limit: 32) != "null"
    default: break
    }
  }

  private mutating func noteNested(_ name: Range<Int>) {
    if word(name, limit: 32) == "scope" { response.isScopeUnreadable = true }
  }

  /// Bytes of `\u0041`, which stands for one.
  private static let longestEscape = 6

  /// A token, or nil when it is empty, too long, or holds a byte that it may not.
  private func token(_ range: Range<Int>, _ isAllowed: (UInt8) -> Bool) throws(Stop) -> SecretBox? {
    guard range.count <= TokenResponse.maximumToken * Self.longestEscape else { return nil }
    var plain = unescaped(range)
    guard (1...TokenResponse.maximumToken).contains(plain.count),
      unsafe plain.withUnsafeBytes({ unsafe $0.allSatisfy(isAllowed) })
    else { return nil }
    do throws(SecretMemoryExhausted) { return SecretBox(try plain.takeSecret()) } catch { throw .memory }
  }

  /// A short text of printable ASCII, or nil.
  private func word(_ range: Range<Int>, limit: Int) -> String? {
    guard range.count <= limit * Self.longestEscape else { return nil }
    let plain = unescaped(range)
    guard (1...limit).contains(plain.count) else { return nil }
    return unsafe plain.withUnsafeBytes { plain in
      guard unsafe plain.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
      return unsafe String(decoding: plain, as: UTF8.self)
    }
  }

  private static func seconds(_ text: String) -> Int64? {
    guard let number = Double(text), !number.isNaN else { return nil }
    return Int64(min(max(number, 0), Double(TokenResponse.maximumLifetime)))
  }

  private func unescaped(_ range: Range<Int>) -> WipedBuffer {
    var plain = WipedBuffer(capacity: range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      guard unsafe bytes[at] == UInt8(ascii: "\\"), at + 1 < range.upperBound else {
        plain.append(unsafe bytes[at])
        at += 1
        continue
      }
      at = escape(at + 1, range.upperBound, into: &plain)
    }
    return plain
  }

  /// Appends what the escape at `at`, behind its backslash, stands for, and returns where it ends. Half of a surrogate
  /// pair becomes U+FFFD.
  private func escape(_ at: Int, _ end: Int, into plain: inout WipedBuffer) -> Int {
    switch unsafe bytes[at] {
    case UInt8(ascii: "n"): plain.append(0x0a)
    case UInt8(ascii: "r"): plain.append(0x0d)
    case UInt8(ascii: "t"): plain.append(0x09)
    case UInt8(ascii: "b"): plain.append(0x08)
    case UInt8(ascii: "f"): plain.append(0x0c)
    case UInt8(ascii: "u"):
      guard let unit = unit(at + 1, end) else { break }
      if let scalar = pair(unit, at + 5, end) {
        plain.append(String(scalar))
        return at + 11
      }
      plain.append(String(Unicode.Scalar(unit) ?? "\u{fffd}"))
      return at + 5
    case let byte: plain.append(byte)
    }
    return at + 1
  }

  /// The character of a surrogate pair whose second half stands at `at`; nil when these are not two halves.
  private func pair(_ first: UInt16, _ at: Int, _ end: Int) -> Unicode.Scalar? {
    guard (0xd800...0xdbff).contains(first), at + 6 <= end, unsafe bytes[at] == UInt8(ascii: "\\"),
      unsafe bytes[at + 1] == UInt8(ascii: "u"), let second = unit(at + 2, end), (0xdc00...0xdfff).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
  }

  private func unit(_ at: Int, _ end: Int) -> UInt16? {
    guard at + 4 <= end else { return nil }
    let digits = unsafe String(decoding: bytes[at..<at + 4], as: UTF8.self)
    // No sign, which the initialiser would take.
    return digits.utf8.first.map { $0 >= UInt8(ascii: "0") } == true ? UInt16(digits, radix: 16) : nil
  }
}
