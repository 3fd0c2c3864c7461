import JSON
import Testing

/// Each limit, at its last good value and one past it.
@Suite struct JSONLimitsTests {
  @Test func `a text as large as the limit is read`() throws {
    #expect(try read("[1]", limits: JSONLimits(bytes: 3)) == .array([.integer(1)]))
  }

  @Test func `a larger text is refused before it is looked at`() {
    #expect(throws: JSONError(.tooLarge, at: 3)) { try read("xxxx", limits: JSONLimits(bytes: 3)) }
  }

  @Test func `as deep as the limit is read`() throws {
    #expect(try read("[[{}]]", limits: JSONLimits(depth: 3)) == .array([.array([.object(JSONObject())])]))
  }

  @Test func `deeper is refused`() {
    #expect(throws: JSONError(.tooDeep, at: 3)) { try read("[[[[]]]]", limits: JSONLimits(depth: 3)) }
  }

  @Test func `depth counts open arrays, not all`() throws {
    #expect(try read("[[],[],[]]", limits: JSONLimits(depth: 2)) == .array([.array([]), .array([]), .array([])]))
  }

  @Test func `a string as long as the limit is read`() throws {
    #expect(try read(#""\u00e9b""#, limits: JSONLimits(stringBytes: 3)) == .string("éb"))
  }

  @Test(arguments: [#""abcd""#, #"{"abcd":1}"#, #""\u00e9\u00e9""#])
  func `a longer string is refused`(text: String) {
    #expect { try read(text, limits: JSONLimits(stringBytes: 3)) } throws: {
      ($0 as? JSONError)?.kind == .stringTooLong
    }
  }

  @Test func `one member too many is refused`() {
    #expect(throws: JSONError(.tooManyMembers, at: 13)) {
      try read(#"{"a":1,"b":2,"c":3}"#, limits: JSONLimits(members: 2))
    }
  }

  @Test func `one element too many is refused`() {
    #expect(throws: JSONError(.tooManyElements, at: 5)) { try read("[1,2,3]", limits: JSONLimits(elements: 2)) }
  }
}
