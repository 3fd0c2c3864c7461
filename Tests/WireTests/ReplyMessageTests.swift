import JSON
import Secrets
import Testing
import Wire

@Suite struct ReplyMessageTests {
  @Test func `a reply is written as varlink has it`() {
    let frame = appended { $0.appendReply(Wire.ReportRejected.Reply(refreshing: true)) }
    #expect(String(decoding: frame, as: UTF8.self) == "{\"parameters\":{\"refreshing\":true}}\0")
  }

  @Test func `a reply that continues says so`() throws {
    let frame = appended { $0.appendReply(Wire.Monitor.Reply(event: .watching), continues: true) }
    var parameters = JSONObject()
    parameters.append("event", .string("watching"))
    #expect(try reply(Array(frame.dropLast())) == .result(parameters, continues: true))
  }

  @Test func `an error is written as varlink has it`() {
    let frame = appended { $0.appendError(.service(.methodNotFound("a.b.C"))) }
    #expect(
      String(decoding: frame, as: UTF8.self)
        == "{\"error\":\"org.varlink.service.MethodNotFound\",\"parameters\":{\"method\":\"a.b.C\"}}\0")
  }

  @Test func `a token goes over the wire as a secret`() throws {
    let sent = Wire.GetAccessToken.Reply(
      accessToken: try box("sentinel"), tokenType: "Bearer", account: "work", issuer: "https://issuer.example",
      expiresIn: 300, generation: 3, shorter: false, refreshed: true)
    let frame = appended { $0.appendReply(sent) }
    guard case .result(let parameters, continues: false) = try reply(Array(frame.dropLast())) else {
      Issue.record("not a result")
      return
    }
    #expect(!"\(parameters)".contains("sentinel"))
    #expect(try Wire.GetAccessToken.Reply(members: parameters).accessToken.isEqual(to: box("sentinel")))
  }

  @Test func `a reply without parameters has none`() throws {
    #expect(try reply("{}") == .result(JSONObject(), continues: false))
  }

  @Test func `a reply of another kind is refused`() {
    #expect(throws: ReplyError.invalid(.wrongKind("parameters", expected: .object, found: .array))) {
      try reply(#"{"parameters":[]}"#)
    }
  }
}
