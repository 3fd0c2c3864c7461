import JSON
import Testing

@Suite struct JSONObjectTests {
  private let text = #"{"s":"x","i":5,"n":1.0,"b":true,"z":null,"o":{"k":"v"},"a":["p","q"],"l":[{"k":1}],"m":["p",1]}"#

  @Test func `members come as their types`() throws {
    let object = try readObject(text)
    #expect(try object.string("s") == "x")
    #expect(try object.int("i") == 5)
    #expect(try object.bool("b"))
    #expect(try object.object("o").string("k") == "v")
    #expect(try object.strings("a") == ["p", "q"])
    #expect(try object.objects("l").first?.int("k") == 1)
  }

  @Test func `a text equals the same text only, not one that Swift takes for the same`() throws {
    #expect(try readObject(#"{"s":"\u212A"}"#)["s"] != .string("K"))
    #expect(try readObject(#"{"s":"\u00e9"}"#)["s"] == .string("\u{e9}"))
  }

  @Test(arguments: ["z", "none"])
  func `absent and null are nil where they may be`(name: String) throws {
    let object = try readObject(text)
    #expect(try object.string(ifPresent: name) == nil)
    #expect(try object.int(ifPresent: name) == nil)
    #expect(try object.bool(ifPresent: name) == nil)
    #expect(try object.secret(ifPresent: name) == nil)
    #expect(try object.object(ifPresent: name) == nil)
    #expect(try object.strings(ifPresent: name) == nil)
    #expect(try object.objects(ifPresent: name) == nil)
  }

  @Test(arguments: ["z", "none"])
  func `absent and null are missing where they must not be`(name: String) throws {
    let object = try readObject(text)
    #expect(throws: JSONMemberError.missing(name)) { try object.string(name) }
  }

  @Test func `another kind of value is refused by name`() throws {
    let object = try readObject(text)
    #expect(throws: JSONMemberError.wrongKind("i", expected: .string, found: .integer)) { try object.string("i") }
    #expect(throws: JSONMemberError.wrongKind("s", expected: .integer, found: .string)) { try object.int("s") }
    #expect(throws: JSONMemberError.wrongKind("n", expected: .integer, found: .number)) { try object.int("n") }
    #expect(throws: JSONMemberError.wrongKind("s", expected: .bool, found: .string)) { try object.bool("s") }
    #expect(throws: JSONMemberError.wrongKind("a", expected: .object, found: .array)) { try object.object("a") }
    #expect(throws: JSONMemberError.wrongKind("o", expected: .array, found: .object)) { try object.strings("o") }
    #expect(throws: JSONMemberError.wrongKind("m", expected: .string, found: .integer)) { try object.strings("m") }
    #expect(throws: JSONMemberError.wrongKind("a", expected: .object, found: .string)) { try object.objects("a") }
  }

  @Test func `a plain string is no secret`() throws {
    let object = try readObject(text)
    #expect(throws: JSONMemberError.notASecret("s")) { try object.secret("s") }
  }

  @Test func `a secret is no plain string`() throws {
    let object = try readObject(text, secretMembers: ["s"])
    #expect(throws: JSONMemberError.unexpectedSecret("s")) { try object.string("s") }
  }

  @Test func `a name is not appended twice`() {
    var object = JSONObject()
    object.append("a", .null)
    let isAppended = object.append("a", .bool(true))
    #expect(!isAppended)
  }
}
