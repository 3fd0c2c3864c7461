import JSON
import Secrets
import Testing

@Suite struct JSONSecretTests {
  @Test func `a secret member is read into the arena`() throws {
    let object = try readObject(#"{"access_token":"abc","scope":"s"}"#, secretMembers: ["access_token"])
    #expect(try object.secret("access_token").isEqual(to: box("abc")))
  }

  @Test func `what is not a secret member stays a string`() throws {
    let object = try readObject(#"{"access_token":"abc","scope":"s"}"#, secretMembers: ["access_token"])
    #expect(try object.string("scope") == "s")
  }

  @Test func `a secret is unescaped`() throws {
    let object = try readObject(#"{"t":"a\n\u00e9\ud83d\ude00b"}"#, secretMembers: ["t"])
    #expect(try object.secret("t").isEqual(to: box("a\né😀b")))
  }

  @Test func `secret members are found at any depth`() throws {
    let value = try read(#"[{"a":{"t":"x"}}]"#, secretMembers: ["t"])
    guard case .array(let elements) = value, case .object(let outer) = elements[0] else {
      Issue.record("not an array of objects")
      return
    }
    #expect(try outer.object("a").secret("t").isEqual(to: box("x")))
  }

  @Test func `every string inside a secret member is secret`() throws {
    let object = try readObject(#"{"t":{"x":["y"]},"u":"z"}"#, secretMembers: ["t"])
    #expect(try object.object("t").array("x") == [.secret(box("y"))])
  }

  @Test func `what follows a secret member is plain again`() throws {
    let object = try readObject(#"{"t":{"x":["y"]},"u":"z"}"#, secretMembers: ["t"])
    #expect(try object.string("u") == "z")
  }

  @Test func `an empty secret is a secret`() throws {
    #expect(try readObject(#"{"t":""}"#, secretMembers: ["t"]).secret("t").count == 0)
  }

  @Test func `a number in a secret's place is the wrong kind`() throws {
    let object = try readObject(#"{"t":5}"#, secretMembers: ["t"])
    #expect(throws: JSONMemberError.wrongKind("t", expected: .string, found: .integer)) { try object.secret("t") }
  }

  @Test func `a secret prints as redacted`() throws {
    let value = try read(#"{"t":"sentinel"}"#, secretMembers: ["t"])
    #expect(!"\(value)".contains("sentinel"))
  }

  @Test func `a text that is itself secret is read where it lies`() throws {
    #expect(try JSONReader.parseObject(box(#"{"a":1}"#)).int("a") == 1)
  }

  @Test func `a secret larger than the arena is refused by kind`() throws {
    let text = "{\"t\":\"" + String(repeating: "a", count: SecretArena.capacity + 1) + "\"}"
    let limits = JSONLimits(bytes: 8 << 20, stringBytes: 8 << 20)
    #expect(throws: JSONError(.secretMemoryExhausted, at: 6)) { try read(text, limits: limits, secretMembers: ["t"]) }
  }

  @Test func `a secret is written from the arena`() throws {
    let text = try box("a\"b")
    #expect(written { $0.object { $0.member("t", secret: text) } } == #"{"t":"a\"b"}"#)
  }

  private func box(_ text: String) throws -> SecretBox {
    let bytes = Array(text.utf8)
    return SecretBox(try unsafe SecretBytes(copying: bytes.span.bytes))
  }
}
