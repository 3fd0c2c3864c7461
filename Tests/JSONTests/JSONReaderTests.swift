import JSON
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .bool(true)), ("\tfalse\r\n", .bool(false)), ("0", .integer(0)),
    ("-0", .integer(0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("99999999999999999999999", .number(1e23)), ("1.5", .number(1.5)), ("1e3", .number(1000)),
    ("-2.5E-1", .number(-0.25)), ("0.0", .number(0)), ("1e-999", .number(0)), ("\"\"", .string("")),
    ("\"a/b\"", .string("a/b")), ("[]", .array([])), ("[ ]", .array([])), ("{}", .object(JSONObject())),
    ("[1,[2,null]]", .array([.integer(1), .array([.integer(2), .null])])),
  ])
  func `a value of each kind is read`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""A\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00!""#, "😀!"),
    (#""\uD834\uDD1E""#, "𝄞"), (#""\u0000""#, "\0"), (#""\ufffe""#, "\u{fffe}"), ("\"é€😀\u{7f}\"", "é€😀\u{7f}"),
    ("\"\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"", "\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"),
  ])
  func `a string is unescaped`(text: String, value: String) throws {
    #expect(try read(text) == .string(value))
  }

  @Test func `an object keeps the order of its members`() throws {
    let object = try readObject(#"{ "b" : 1 , "a" : 2 , "" : 3 }"#)
    #expect(object.members.map(\.name) == ["b", "a", ""])
  }

  @Test func `an object that was asked for is no array`() {
    #expect(throws: JSONError(.notAnObject, at: 0)) { try readObject("[]") }
  }

  @Test func `the same name in two objects is no duplicate`() throws {
    #expect(try read(#"[{"a":1},{"a":{"a":2}}]"#) != .null)
  }

  @Test(arguments: [
    ("", JSONError.Kind.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1),
    ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), (#"{"a""#, .unexpectedEnd, 4),
    (#"{"a":"#, .unexpectedEnd, 5), (#"{"a":1"#, .unexpectedEnd, 6), (#""abc"#, .unexpectedEnd, 4),
    (#""\"#, .unexpectedEnd, 2), (#""\u00"#, .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3), ("-", .unexpectedEnd, 1),
    ("trux", .unexpectedByte, 3), ("TRUE", .unexpectedByte, 0), ("nan", .unexpectedByte, 1), ("+1", .unexpectedByte, 0),
    (".5", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0), ("[,1]", .unexpectedByte, 1), ("[1,]", .unexpectedByte, 3),
    ("[1 2]", .unexpectedByte, 3), (#"{"a" 1}"#, .unexpectedByte, 5), ("{a:1}", .unexpectedByte, 1),
    (#"{"a":1,}"#, .unexpectedByte, 7), ("{1:1}", .unexpectedByte, 1), ("[1}", .unexpectedByte, 2),
    ("// x\n1", .unexpectedByte, 0), ("\u{feff}1", .unexpectedByte, 0), ("\u{c}1", .unexpectedByte, 0),
    ("\u{a0}1", .unexpectedByte, 0), ("1 2", .trailingBytes, 2), ("{}x", .trailingBytes, 2), ("1\0", .trailingBytes, 1),
    ("nullnull", .trailingBytes, 4), ("\"a\nb\"", .controlCharacter, 2), ("\"\0\"", .controlCharacter, 1),
    ("\"\u{1f}\"", .controlCharacter, 1), (#""\x""#, .invalidEscape, 1), (#""\u12G4""#, .invalidEscape, 1),
    (#""\U0041""#, .invalidEscape, 1), (#""a\ud800""#, .loneSurrogate, 2), (#""\udc00""#, .loneSurrogate, 1),
    (#""\ud800x""#, .loneSurrogate, 1), (#""\ud800\n""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1),
    (#""\ud800\ud800""#, .loneSurrogate, 1), ("01", .leadingZero, 0), ("-01", .leadingZero, 1), ("00", .leadingZero, 0),
    ("1.", .invalidNumber, 2), ("1.e3", .invalidNumber, 2), ("1e", .invalidNumber, 2), ("1e+", .invalidNumber, 3),
    ("-a", .invalidNumber, 1), ("1e999", .numberOutOfRange, 0), ("[-1e999]", .numberOutOfRange, 1),
    (#"{"a":1,"a":2}"#, .duplicateMember, 7), (#"{"a":1,"\u0061":2}"#, .duplicateMember, 7),
  ])
  func `what is not JSON is refused by kind and byte`(text: String, kind: JSONError.Kind, offset: Int) {
    #expect(throws: JSONError(kind, at: offset)) { try read(text) }
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x41], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      [0xEF, 0xBF, 0x22], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
    #expect(throws: JSONError(.invalidUTF8, at: 2)) {
      try read([UInt8(ascii: "\""), UInt8(ascii: "a")] + bytes + [UInt8(ascii: "\"")])
    }
  }

  @Test func `an error says where and never what`() {
    #expect(JSONError(.loneSurrogate, at: 7).description == "half of a surrogate pair stands alone (byte 7)")
  }
}
