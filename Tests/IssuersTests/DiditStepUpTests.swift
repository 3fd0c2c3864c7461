import Exchange
import Issuers
import Testing
import Vault

/// Didit's `step-up/`: what is sent, and how strictly little is believed of the answer.
struct DiditStepUpTests {
  private let fake: FakeIssuer
  private let live: DiditIssuer
  private let sandbox: DiditIssuer

  init() throws {
    fake = try FakeIssuer()
    live = try fake.didit()
    sandbox = try DiditIssuer(
      profile("didit", identifier: "http://127.0.0.1:7000", environment: .sandbox, plainLoopback: true),
      fetch: fake.fetch, clock: fake.clock)
  }

  @Test func `the question has the action's fields and no other`() throws {
    let wish = try StepUpWish(
      action: "payout", amount: "12.50", currency: "EUR", returnTo: "https://app.example/done")
    let request = try live.stepUpRequest(wish, accessToken: box("a"))
    #expect(request.method == .post && request.url == "https://acme.auth.didit.me/step-up/")
    #expect(request.bearer.map(text) == "a" && request.contentType == .json)
    #expect(
      text(try #require(request.body))
        == #"{"action":"payout","amount":"12.50","currency":"EUR","return_to":"https://app.example/done"}"#)
    let bare = try live.stepUpRequest(
      StepUpWish(action: "bank", amount: nil, currency: nil, returnTo: nil), accessToken: box("a"))
    #expect(text(try #require(bare.body)) == #"{"action":"bank"}"#)
  }

  @Test func `no proof is needed when the issuer says so`() throws {
    #expect(live.readStepUp(try fake.answer(200, #"{"required":false}"#)) == .notRequired)
  }

  @Test(arguments: [
    #"{"required":true,"id":"s-1","url":"https://verify.didit.me/s-1"}"#,
    #"{"step_up_id":"s-1","verification_url":"https://verify.didit.me/s-1","more":{"x":[1]}}"#,
  ])
  func `the page and the id are found under the usual names`(body: String) throws {
    #expect(live.readStepUp(try fake.answer(201, body)) == .required(id: "s-1", url: "https://verify.didit.me/s-1"))
  }

  @Test(arguments: [
    "http://verify.didit.me/s", "http://127.0.0.1:7000/s", "javascript:alert(1)", "file:///etc/passwd", "almoner:x",
    "https://user:pw@verify.didit.me/s", "https://verify.didit.me/s\\n--flag", "--version", "", "//verify.didit.me/",
    "https://verify.didit.me/" + String(repeating: "a", count: 2048),
  ])
  func `a page that may not be opened is refused`(url: String) throws {
    let answer = live.readStepUp(try fake.answer(200, #"{"required":true,"id":"s","url":"\#(url)"}"#))
    #expect(answer.isMisconfigured)
  }

  @Test func `plain http passes to this machine and for a sandbox only`() throws {
    for (url, passes) in [("http://127.0.0.1:7000/v", true), ("http://example.org/v", false)] {
      let answer = sandbox.readStepUp(try fake.answer(200, #"{"required":true,"id":"s","url":"\#(url)"}"#))
      #expect(answer.isMisconfigured != passes)
    }
  }

  @Test(arguments: ["", "a/b", "..", "a b", "a?b", "%2e", "é", String(repeating: "x", count: 129)])
  func `an id that is no plain word is refused`(id: String) throws {
    let body = #"{"required":true,"id":"\#(id)","url":"https://verify.didit.me/s"}"#
    #expect(live.readStepUp(try fake.answer(200, body)).isMisconfigured)
  }

  @Test(arguments: [
    "", "not JSON", "[]", "null", "{}", #"{"required":true}"#, #"{"required":"false"}"#, #"{"required":null}"#,
    #"{"required":true,"url":"https://verify.didit.me/s"}"#, #"{"required":0}"#,
  ])
  func `an answer that says neither is not taken for a no`(body: String) throws {
    #expect(live.readStepUp(try fake.answer(200, body)).isMisconfigured)
  }

  @Test func `what stands between is told by its status`() throws {
    #expect(live.readStepUp(try fake.answer(401, "")) == .unauthorized)
    #expect(live.readStepUp(try fake.answer(404, "")).isMisconfigured)
    guard case .later(_, retryAfter: 9) = live.readStepUp(try fake.answer(429, "", retryAfter: 9)) else {
      return #expect(Bool(false), "429 is to be tried later")
    }
    guard case .refused(let why) = live.readStepUp(try fake.answer(400, #"{"error":"invalid_return_to"}"#)) else {
      return #expect(Bool(false), "400 is a no")
    }
    #expect(why.contains("invalid_return_to"))
    guard case .refused(let said) = live.readStepUp(try fake.answer(400, #"{"error":"<b>pay me</b>"}"#)) else {
      return #expect(Bool(false), "400 is a no")
    }
    #expect(!said.contains("pay me"))
  }

  @Test func `how it stands is asked at its own route`() throws {
    let request = live.stepUpStatusRequest("s-1", accessToken: try box("a"))
    #expect(request.method == .get && request.url == "https://acme.auth.didit.me/step-up/s-1/")
    #expect(request.bearer.map(text) == "a" && request.body == nil)
  }

  @Test(arguments: [
    ("approved", StepUpStatus.approved), ("declined", .failed(.declined)), ("expired", .failed(.expired)),
    ("cancelled", .failed(.cancelled)), ("pending", .pending), ("in_review", .pending), ("Approved", .pending),
    ("approved ", .pending), ("", .pending),
  ])
  func `nothing but the word approved is an approval`(word: String, status: StepUpStatus) throws {
    #expect(live.readStepUpStatus(try fake.answer(200, #"{"status":"\#(word)"}"#)) == status)
  }

  @Test(arguments: ["", "approved", "[\"approved\"]", #"{"status":true}"#, #"{"state":"approved"}"#])
  func `an answer that cannot be read is no approval`(body: String) throws {
    guard case .later = live.readStepUpStatus(try fake.answer(200, body)) else {
      return #expect(Bool(false), "it is asked again")
    }
  }

  @Test(arguments: [(401, StepUpStatus.unauthorized), (404, .gone)] as [(Int, StepUpStatus)])
  func `a status without an answer is told apart`(status: Int, meaning: StepUpStatus) throws {
    #expect(live.readStepUpStatus(try fake.answer(status, #"{"status":"approved"}"#)) == meaning)
    guard case .later = live.readStepUpStatus(try fake.answer(302, #"{"status":"approved"}"#)) else {
      return #expect(Bool(false), "a redirect is no answer")
    }
  }
}

extension StepUpAnswer {
  fileprivate var isMisconfigured: Bool { if case .misconfigured = self { true } else { false } }
}
