import OAuth
import Secrets
import Testing

struct AuthorizationResponseTests {
  private func response(_ query: String, maximumCode: Int = 128) throws -> AuthorizationResponse {
    try AuthorizationResponse(query: box(query), maximumCode: maximumCode)
  }

  private func code(_ response: AuthorizationResponse) -> String? {
    switch response.outcome {
    case .code(let code): text(code)
    case .error: nil
    }
  }

  private func errorCode(_ response: AuthorizationResponse) -> AuthorizationErrorCode? {
    switch response.outcome {
    case .code: nil
    case .error(let error): error
    }
  }

  @Test func `code, state and iss are read and unescaped`() throws {
    let response = try response("code=a%2Bb+c&state=s-1&iss=https%3A%2F%2Fi.example")
    #expect(code(response) == "a+b c" && text(response.state) == "s-1" && response.issuer == "https://i.example")
  }

  @Test func `parameters that are not known are ignored, even twice`() throws {
    #expect(try code(response("session_state=1&code=c&x=1&x=2&state=s&&")) == "c")
  }

  @Test(arguments: [
    "code=a&code=a&state=s", "code=a&state=s&state=s", "co%64e=b&code=a&state=s", "iss=a&iss=a&code=a&state=s",
  ])
  func `a parameter of ours that occurs twice is refused`(query: String) {
    #expect(throws: AuthorizationResponseError.self) { _ = try response(query) }
  }

  @Test(arguments: [
    ("code=a", AuthorizationResponseError.noState), ("code=a&state=", .noState), ("", .noState), ("state=s", .noCode),
    ("state=s&code=", .noCode), ("state=s&code", .noCode), ("state=s&code=a&error=x", .codeAndError),
    ("state=s&code=%", .encoding), ("state=s&code=%4", .encoding), ("state=s&code=%zz", .encoding),
    ("state=s&code=%00", .character), ("state=s&code=a%0ab", .character), ("state=s&code=%c3%a9", .character),
  ])
  func `a malformed response has an error of its own`(query: String, error: AuthorizationResponseError) {
    #expect(throws: error) { _ = try response(query) }
  }

  @Test func `a code of 128 characters passes and one of 129 does not`() throws {
    let longest = String(repeating: "c", count: 128)
    #expect(try code(response("state=s&code=\(longest)")) == longest)
    #expect(throws: AuthorizationResponseError.codeTooLong) { _ = try response("state=s&code=\(longest)c") }
  }

  @Test func `a query beyond the limit is refused`() {
    let query = "state=s&code=c&x=" + String(repeating: "x", count: AuthorizationResponse.maximumQuery)
    #expect(throws: AuthorizationResponseError.tooLong) { _ = try response(query) }
  }

  @Test func `too many parameters are refused`() {
    let query = "state=s&code=c" + String(repeating: "&x=1", count: AuthorizationResponse.maximumParameters)
    #expect(throws: AuthorizationResponseError.tooManyParameters) { _ = try response(query) }
  }

  @Test(arguments: [
    ("access_denied", AuthorizationErrorCode.accessDenied), ("server_error", .serverError), ("<script>", .other),
    ("other", .other),
  ])
  func `an error is one of the known words or other`(word: String, expected: AuthorizationErrorCode) throws {
    #expect(try errorCode(response("error=\(word)&error_description=d&state=s")) == expected)
  }

  @Test func `the right state answers the attempt and no other does`() throws {
    let response = try response("code=c&state=right")
    #expect(response.answers(try box("right")))
    #expect(!response.answers(try box("wrong")))
    #expect(!response.answers(try box("right ")))
  }

  @Test func `another issuer in iss is refused`() throws {
    let response = try response("code=c&state=s&iss=https://evil.example")
    #expect(throws: AuthorizationResponseError.otherIssuer) {
      try response.checkIssuer("https://i.example", promised: false)
    }
  }

  @Test func `a promised iss that is absent is refused`() throws {
    let response = try response("code=c&state=s")
    #expect(throws: AuthorizationResponseError.noIssuer) {
      try response.checkIssuer("https://i.example", promised: true)
    }
  }

  @Test func `an absent iss that was not promised is fine`() throws {
    try response("code=c&state=s").checkIssuer("https://i.example", promised: false)
  }

  @Test(arguments: [
    "http://localhost:8976/cb?code=c&state=s", "  http://localhost:8976/cb?code=c&state=s\r\n",
    "HTTP://LocalHost:8976/cb?code=c&state=s#_=_",
  ])
  func `a pasted URL is read`(pasted: String) throws {
    let response = try AuthorizationResponse(pasted: box(pasted), redirect: RedirectURI("http://localhost:8976/cb"))
    #expect(code(response) == "c")
  }

  @Test(arguments: [
    ("http://localhost:8977/cb?code=c&state=s", AuthorizationResponseError.otherDestination),
    ("https://localhost:8976/cb?code=c&state=s", .otherDestination),
    ("http://localhost:8976/other?code=c&state=s", .otherDestination),
    ("http://localhost:8976@evil.example/cb?code=c&state=s", .notAURL), ("code=c&state=s", .notAURL), ("", .notAURL),
    ("c", .notAURL), ("http://localhost:8976/cb#code=c&state=s", .notAURL), ("?code=c&state=s", .notAURL),
    ("http://localhost:8976/cb#?code=c", .notAURL), ("http://localhost:8976/cb?state=s", .noCode),
  ])
  func `a paste of something else has an error of its own`(pasted: String, error: AuthorizationResponseError) throws {
    let redirect = try RedirectURI("http://localhost:8976/cb")
    #expect(throws: error) { _ = try AuthorizationResponse(pasted: box(pasted), redirect: redirect) }
  }

  @Test func `an error repeats nothing of the response`() {
    #expect(!"\(AuthorizationResponseError.repeated("code"))".contains("SENTINEL"))
  }
}
