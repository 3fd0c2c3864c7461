import Exchange
import OAuth
import Secrets
import Testing
import Time

/// A device authorization response, sound and hostile.
struct DeviceAuthorizationTests {
  static let start = BootInstant(nanoseconds: 5_000_000_000)

  static func answer(
    _ body: String, status: Int = 200, nonce: String? = nil, isTruncated: Bool = false
  ) throws -> HTTPAnswer {
    HTTPAnswer(
      status: status, date: nil, retryAfter: nil, dpopNonce: nonce, contentType: "application/json",
      body: try box(body), isTruncated: isTruncated, receivedAt: start, receivedBoot: BootID(high: 1, low: 2),
      receivedWall: WallInstant(seconds: 0))
  }

  /// A response with some members put in place of the usual ones; nil leaves one out.
  static func codes(_ changes: [String: String?] = [:]) throws -> DeviceAuthorization {
    var members: [String: String?] = [
      "device_code": #""GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS""#, "user_code": #""WDJB-MJHT""#,
      "verification_uri": #""https://example.com/device""#, "expires_in": "900", "interval": "7",
    ]
    members.merge(changes) { $1 }
    let text = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.sorted().joined(separator: ",")
    return try DeviceAuthorization(try answer("{\(text)}"))
  }

  @Test func `everything of it is read`() throws {
    let complete = "https://example.com/device?user_code=WDJB-MJHT"
    let codes = try Self.codes(["verification_uri_complete": "\"\(complete)\""])
    #expect(text(codes.deviceCode) == "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS" && codes.userCode == "WDJB-MJHT")
    #expect(codes.verificationURI.text == "https://example.com/device" && codes.completeURI?.text == complete)
    #expect(codes.browserURL?.text == complete)
    #expect(codes.expiry == Self.start + .seconds(900) && codes.interval == .seconds(7))
  }

  @Test(
    arguments: [
      (nil, 5), ("0", 5), ("-1", 5), ("-9223372036854775808", 5), ("null", 5), ("\"x\"", 5), ("[]", 5), ("0.5", 5),
      ("1", 1), ("\"3\"", 3), ("2.0", 2), ("61", 60), ("9223372036854775807", 60), ("1e300", 60), ("-1e300", 5),
      ("\"99999999999999999999\"", 5),
    ] as [(String?, Int)])
  func `an interval is what it says within limits, and five seconds where it says nothing`(
    sent: String?, seconds: Int
  ) throws {
    #expect(try Self.codes(["interval": sent]).interval == .seconds(seconds))
  }

  @Test(arguments: [
    ("1", 1), ("\"600\"", 600), ("1801", 1800), ("9223372036854775807", 1800), ("1e300", 1800),
  ])
  func `a life is believed up to half an hour`(sent: String, seconds: Int) throws {
    #expect(try Self.codes(["expires_in": sent]).expiry == Self.start + .seconds(seconds))
  }

  @Test(arguments: [nil, "0", "-1", "-1e300", "null", "\"soon\"", "true", "{}"] as [String?])
  func `codes without a life are refused`(sent: String?) {
    #expect(throws: DeviceAuthorizationError.unusable("expires_in")) { try Self.codes(["expires_in": sent]) }
  }

  @Test(
    arguments: [
      nil, "\"\"", "1234", "null", #""a\u001b[2J""#, #""AB\nCD""#, #""AB\u202eCD""#, #""AB\u200bCD""#, #""ÄB""#,
      #""\u0410BCD""#, #""a\u0000b""#, "\"" + String(repeating: "A", count: 65) + "\"",
    ] as [String?])
  func `a user code that cannot be shown or typed is refused`(sent: String?) {
    #expect(throws: DeviceAuthorizationError.unusable("user_code")) { try Self.codes(["user_code": sent]) }
  }

  @Test(
    arguments: [
      nil, "\"\"", "7", "null", "[\"a\"]", #""a\nb""#, "\"" + String(repeating: "A", count: 4097) + "\"",
    ] as [String?])
  func `a device code that could not be sent is refused`(sent: String?) {
    #expect(throws: DeviceAuthorizationError.unusable("device_code")) { try Self.codes(["device_code": sent]) }
  }

  private static let noAddress = [
    "\"\"", "7", #""javascript:alert(1)""#, #""file:///etc/passwd""#, #""almoner:x""#, #""example.com/device""#,
    #""https://""#, #""https://example.com/\u0007""#, #""https://example.com/\u202egpj""#, #""https://ex ample.com""#,
    #""https://user@example.com/""#, #""https://example.com\\@evil.example/""#, #""https://exаmple.com/""#,
    "\"https://example.com/" + String(repeating: "a", count: 2048) + "\"",
  ]

  @Test(arguments: noAddress)
  func `a verification URI that is no web address is refused`(sent: String) {
    #expect(throws: DeviceAuthorizationError.unusable("verification_uri")) {
      try Self.codes(["verification_uri": sent])
    }
  }

  @Test(arguments: noAddress)
  func `a complete URI that is no web address is passed over`(sent: String) throws {
    let codes = try Self.codes(["verification_uri_complete": sent])
    #expect(codes.completeURI == nil && codes.browserURL?.text == "https://example.com/device")
  }

  @Test(
    arguments: [
      ("https://a.example/d", "https://b.example/d?c=1", "https://b.example/d?c=1"),
      ("https://a.example/d", "http://a.example/d?c=1", "https://a.example/d"),
      ("http://a.example/d", "http://a.example/d?c=1", nil),
      ("http://localhost:4593/d", "http://127.0.0.1:4593/d?c=1", "http://127.0.0.1:4593/d?c=1"),
      ("http://localhost.evil.example/d", "http://10.0.0.1/d", nil),
    ] as [(String, String, String?)])
  func `only https and this machine are fit to be opened`(plain: String, complete: String, url: String?) throws {
    let codes = try Self.codes(["verification_uri": "\"\(plain)\"", "verification_uri_complete": "\"\(complete)\""])
    #expect(codes.verificationURI.text == plain && codes.browserURL?.text == url)
  }

  @Test(arguments: ["", "<html>", "[]", "{", #"{"device_code":"a","device_code":"b"}"#])
  func `what is no sound JSON object is malformed`(body: String) throws {
    let answer = try Self.answer(body)
    let error = #expect(throws: DeviceAuthorizationError.self) { try DeviceAuthorization(answer) }
    guard case .malformed? = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
  }

  @Test func `an answer that was cut is malformed`() throws {
    let answer = try Self.answer("{}", isTruncated: true)
    #expect(throws: DeviceAuthorizationError.self) { try DeviceAuthorization(answer) }
  }

  @Test func `no refusal and no description repeats what was sent`() throws {
    let codes = try Self.codes()
    #expect(!String(reflecting: codes).contains("GmRh") && !"\(codes)".contains("GmRh"))
    for name in ["user_code", "verification_uri", "device_code", "expires_in"] {
      let error = #expect(throws: DeviceAuthorizationError.self) { try Self.codes([name: #""s\u0007cret""#]) }
      #expect(error.map { "\($0)".contains(name) && !"\($0)".contains("cret") } == true)
    }
  }

  @Test func `the requests are the RFC's, and a poll has no verifier`() throws {
    #expect(
      text(try TokenRequest.deviceCodes(scopes: ["openid", "email"], clientID: "app").formBody())
        == "client_id=app&scope=openid%20email")
    #expect(text(try TokenRequest.deviceCodes(scopes: [], clientID: "app").formBody()) == "client_id=app")
    #expect(
      text(try TokenRequest.device(box("d+c"), clientID: "app").formBody())
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d%2Bc&client_id=app")
  }
}

/// What a poll's answer means.
struct DevicePollAnswerTests {
  private func read(
    _ status: Int, _ body: String, nonce: String? = nil, isProven: Bool = false
  ) throws -> DevicePollAnswer {
    DevicePollAnswer(try DeviceAuthorizationTests.answer(body, status: status, nonce: nonce), isProven: isProven)
  }

  @Test func `B20 a nonce that is wanted is had by the next poll, unless nothing is proven`() throws {
    let wanted = #"{"error":"use_dpop_nonce"}"#
    #expect(try read(400, wanted, nonce: "n", isProven: true) == .pending)
    guard case .nothing = try read(400, wanted, isProven: true),
      case .misconfigured = try read(400, wanted, nonce: "n"),
      case .misconfigured = try read(400, #"{"error":"invalid_dpop_proof"}"#)
    else {
      Issue.record("a wanted proof means something else")
      return
    }
  }

  @Test(arguments: [
    ("authorization_pending", DevicePollAnswer.pending), ("slow_down", .slowDown), ("access_denied", .denied),
    ("expired_token", .expired), ("invalid_grant", .dead("the issuer says invalid_grant")),
    ("unauthorized_client", .misconfigured("the issuer says unauthorized_client")),
  ])
  func `the issuer's word counts with status 400`(error: String, meaning: DevicePollAnswer) throws {
    #expect(try read(400, #"{"error":"\#(error)"}"#) == meaning)
  }

  @Test(arguments: [200, 400, 401, 403, 429, 503], ["authorization_pending", "slow_down"])
  func `to go on polling is the same with any status`(status: Int, error: String) throws {
    let meaning = try read(status, #"{"error":"\#(error)"}"#)
    #expect(meaning == (error == "slow_down" ? .slowDown : .pending))
  }

  @Test func `tokens count, whatever stands beside them`() throws {
    #expect(try read(200, #"{"access_token":"a","error":"authorization_pending"}"#) == .granted)
    #expect(try read(200, #"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#) == .granted)
  }

  @Test(arguments: [(500, ""), (502, "<html>"), (200, "<html>"), (200, "{}"), (429, ""), (400, "{}"), (403, "")])
  func `what nobody understands changes nothing`(status: Int, body: String) throws {
    guard case .nothing = try read(status, body) else {
      Issue.record("status \(status) means something")
      return
    }
  }

  @Test(arguments: [200, 400, 403])
  func `an error that nobody knows ends it, as the RFC demands`(status: Int) throws {
    #expect(try read(status, #"{"error":"device_flow_disabled"}"#) == .dead("it says something that is not known"))
  }

  @Test(arguments: [302, 404, 405])
  func `where nobody answers polls it is over`(status: Int) throws {
    guard case .misconfigured = try read(status, "") else {
      Issue.record("status \(status) goes on")
      return
    }
  }
}

/// When it polls and when it stops, by a clock that the test moves.
struct DevicePollingTests {
  private static let start = DeviceAuthorizationTests.start

  private static func at(_ seconds: Int) -> BootInstant { start + .seconds(seconds) }

  private static func polling(interval: Int = 5, life: Int = 900) throws -> DevicePolling {
    let codes = try DeviceAuthorizationTests.codes(["interval": "\(interval)", "expires_in": "\(life)"])
    return DevicePolling(codes, at: start)
  }

  @Test func `it waits one interval before the first poll and between polls`() throws {
    var polling = try Self.polling()
    #expect(polling.reached(Self.start) == .wait(until: Self.at(5)))
    #expect(polling.reached(Self.at(5)) == .poll)
    #expect(polling.answered(.pending, retryAfter: nil, at: Self.at(6)) == .goOn)
    #expect(polling.reached(Self.at(6)) == .wait(until: Self.at(11)))
    #expect(polling.reached(Self.at(11)) == .poll)
  }

  @Test func `slow_down adds five seconds for good, each time`() throws {
    var polling = try Self.polling()
    _ = polling.answered(.slowDown, retryAfter: nil, at: Self.at(5))
    #expect(polling.reached(Self.at(5)) == .wait(until: Self.at(15)))
    _ = polling.answered(.pending, retryAfter: nil, at: Self.at(15))
    #expect(polling.reached(Self.at(15)) == .wait(until: Self.at(25)))
    _ = polling.answered(.slowDown, retryAfter: nil, at: Self.at(25))
    #expect(polling.reached(Self.at(25)) == .wait(until: Self.at(40)))
  }

  @Test func `polls without an answer double the pause up to a minute, and an answer ends that`() throws {
    var polling = try Self.polling()
    var pauses: [Int64] = []
    for _ in 0..<6 {
      polling.failed(at: Self.start)
      guard case .wait(let instant) = polling.reached(Self.start) else { break }
      pauses.append((instant - Self.start).wholeSeconds)
    }
    #expect(pauses == [10, 20, 40, 60, 60, 60])
    _ = polling.answered(.pending, retryAfter: nil, at: Self.start)
    #expect(polling.reached(Self.start) == .wait(until: Self.at(5)))
  }

  @Test func `an answer that nobody understands counts as none`() throws {
    var polling = try Self.polling()
    #expect(polling.answered(.nothing("status 500"), retryAfter: nil, at: Self.start) == .goOn)
    #expect(polling.reached(Self.start) == .wait(until: Self.at(10)))
  }

  @Test(arguments: [(20, 20), (3, 10), (-5, 10), (.max, 900), (.min, 10)] as [(Int64, Int)])
  func `the issuer's wish for a pause is kept, within the codes' life`(wish: Int64, seconds: Int) throws {
    var polling = try Self.polling()
    _ = polling.answered(.nothing("busy"), retryAfter: wish, at: Self.start)
    #expect(polling.reached(Self.start) == .wait(until: Self.at(seconds)))
  }

  @Test func `when the codes ran out it is over, and it wakes for that`() throws {
    var polling = try Self.polling(life: 12)
    _ = polling.answered(.pending, retryAfter: nil, at: Self.at(10))
    #expect(polling.reached(Self.at(10)) == .wait(until: Self.at(12)))
    #expect(polling.reached(Self.at(12)) == .expire)
    #expect(polling.reached(Self.at(1000)) == .expire)
  }

  @Test(arguments: [
    (DevicePollAnswer.granted, DevicePolling.AnswerAction.redeem), (.denied, .end(.denied)),
    (.expired, .end(.expired)), (.dead("x"), .end(.dead("x"))), (.misconfigured("y"), .end(.misconfigured("y"))),
  ])
  func `a decision ends it`(answer: DevicePollAnswer, action: DevicePolling.AnswerAction) throws {
    var polling = try Self.polling()
    #expect(polling.answered(answer, retryAfter: nil, at: Self.at(5)) == action)
  }
}
