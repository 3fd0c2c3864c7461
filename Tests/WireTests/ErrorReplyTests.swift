import JSON
import Secrets
import Testing
import Wire

/// The parameters of an error as they go over the wire.
func parameters(of error: ErrorReply) throws -> JSONObject {
  let bytes = appended { $0.appendError(error) }.dropLast()
  guard case .object(let message) = try unsafe JSONReader.parse(Array(bytes).span.bytes) else { return JSONObject() }
  return try message.object("parameters")
}

@Suite struct ErrorReplyTests {
  @Test(arguments: errors)
  func `an error survives the wire`(error: AlmonerError) throws {
    #expect(try reply(appended { $0.appendError(.almoner(error)) }.dropLast()) == .error(.almoner(error)))
  }

  @Test(arguments: serviceErrors)
  func `a service error survives the wire`(error: ServiceError) throws {
    #expect(try reply(appended { $0.appendError(.service(error)) }.dropLast()) == .error(.service(error)))
  }

  @Test func `an error that a newer daemon has is kept by name`() throws {
    let text = #"{"error":"org.almoner.Almoner.Newer","parameters":{"message":"m","help":"h"}}"#
    #expect(try reply(text) == .error(.unknown("org.almoner.Almoner.Newer")))
  }

  @Test func `an error of another interface is kept by name`() throws {
    #expect(try reply(#"{"error":"org.example.Wrong"}"#) == .error(.unknown("org.example.Wrong")))
  }

  @Test func `a reason that a newer daemon has is kept`() throws {
    let error = AlmonerError.signInFailed(reason: SignInFailure(rawValue: "newer"), message: "m", help: "h")
    #expect(try reply(appended { $0.appendError(.almoner(error)) }.dropLast()) == .error(.almoner(error)))
  }

  @Test func `an error without its fields is no reply`() {
    #expect(throws: ReplyError.invalid(.missing("message"))) { try reply(#"{"error":"org.almoner.Almoner.Locked"}"#) }
  }

  @Test(arguments: [
    JSONMemberError.missing("p"), .unknown("p"), .wrongKind("p", expected: .string, found: .null), .notASecret("p"),
    .unexpectedSecret("p"),
  ])
  func `a parameter that does not fit is varlink's InvalidParameter`(error: JSONMemberError) {
    #expect(ErrorReply(error) == .service(.invalidParameter("p")))
  }

  @Test func `a number out of range is told its range`() {
    #expect(
      ErrorReply(.outOfRange("timeout", 1...120))
        == .almoner(.badRequest(field: "timeout", message: "timeout is not from 1 to 120.", help: "")))
  }

  @Test func `text past its limit is told the limit`() {
    #expect(
      ErrorReply(.tooLong("account", limit: 5))
        == .almoner(.badRequest(field: "account", message: "account is longer than 5.", help: "")))
  }

  @Test(arguments: errors)
  func `an error tells its message, help and account`(error: AlmonerError) throws {
    let object = try parameters(of: .almoner(error))
    #expect(try object.string("message") == error.message)
    #expect(try object.string("help") == error.help)
    #expect(try object.string(ifPresent: "account") == error.account)
  }
}
