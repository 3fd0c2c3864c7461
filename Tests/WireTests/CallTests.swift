import JSON
import Secrets
import Testing
import Wire

@Suite struct CallTests {
  @Test func `a call is read`() throws {
    let read = try call(#"{"method":"org.almoner.Almoner.List","parameters":{"a":1},"more":true}"#)
    var parameters = JSONObject()
    parameters.append("a", .integer(1))
    #expect(read == Call(method: "org.almoner.Almoner.List", parameters: parameters, mode: .more))
  }

  @Test(arguments: [
    #"{"method":"m"}"#, #"{"method":"m","parameters":null}"#, #"{"method":"m","parameters":{},"more":false}"#,
    #"{"method":"m","oneway":null,"upgrade":false}"#,
  ])
  func `what is absent means no`(text: String) throws {
    #expect(try call(text) == Call(method: "m", parameters: JSONObject(), mode: .one))
  }

  @Test func `a oneway call wants no answer`() throws {
    #expect(try call(#"{"method":"m","oneway":true}"#).mode == .none)
  }

  @Test(arguments: [
    ("{}", JSONMemberError.missing("method")),
    (#"{"method":1}"#, .wrongKind("method", expected: .string, found: .integer)),
    (#"{"method":"m","parameters":[]}"#, .wrongKind("parameters", expected: .object, found: .array)),
    (#"{"method":"m","more":1}"#, .wrongKind("more", expected: .bool, found: .integer)),
    (#"{"method":"m","upgrade":true}"#, .unknown("upgrade")), (#"{"method":"m","id":1}"#, .unknown("id")),
    (#"{"method":"m","more":true,"oneway":true}"#, .unknown("more")),
  ])
  func `JSON that is no call is refused by member`(text: String, error: JSONMemberError) {
    #expect(throws: CallError.invalid(error)) { try call(text) }
  }

  @Test(arguments: ["", "x", "[]", #"{"method":"m"} x"#, #"{"method":"m","method":"n"}"#])
  func `what is not JSON is malformed`(text: String) {
    #expect {
      try call(text)
    } throws: { error in
      if case .malformed = error as? CallError { true } else { false }
    }
  }

  @Test func `a malformed call is answered without being repeated`() {
    #expect(
      CallError.malformed(JSONError(.loneSurrogate, at: 9)).reply
        == .almoner(
          .badRequest(
            field: "", message: "The message cannot be read: half of a surrogate pair stands alone (byte 9).", help: "")
        ))
  }

  @Test func `a call of the largest size is read`() throws {
    let start = #"{"method":""#
    let text = start + String(repeating: "m", count: 48 << 10) + #"""# + String(repeating: " ", count: 16371) + "}"
    #expect(text.utf8.count == Wire.maximumFrame)
    #expect(try call(text).method.utf8.count == 48 << 10)
  }

  @Test func `a larger call is refused`() {
    let text = #"{"method":"m"}"# + String(repeating: " ", count: Wire.maximumFrame)
    #expect(throws: CallError.malformed(JSONError(.tooLarge, at: Wire.maximumFrame))) { try call(text) }
  }

  @Test func `a passphrase is never a string`() throws {
    let read = try call(#"{"method":"m","parameters":{"passphrase":"correct horse"}}"#)
    #expect(try read.parameters.secret("passphrase").isEqual(to: box("correct horse")))
  }

  @Test func `a call that was written is read back`() throws {
    let frame = appended { $0.appendCall(Wire.Monitor.self, Wire.Monitor.Parameters(account: "a\"b"), mode: .more) }
    let read = try call(Array(frame.dropLast()))
    #expect(read.method == "org.almoner.Almoner.Monitor")
    #expect(read.mode == .more)
    #expect(try Wire.Monitor.Parameters(strict: read.parameters) == Wire.Monitor.Parameters(account: "a\"b"))
  }

  @Test func `a message ends with the only NUL in it`() {
    let frame = appended { $0.appendCall(Wire.Monitor.self, Wire.Monitor.Parameters(account: "a\0b"), mode: .none) }
    #expect(frame.firstIndex(of: 0) == frame.count - 1)
  }
}
