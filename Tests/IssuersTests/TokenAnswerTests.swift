import Exchange
import Issuers
import Secrets
import Testing
import Time
import Vault

/// What adapters make of a token endpoint's answers.
struct TokenAnswerTests {
  private let fake: FakeIssuer
  private let previous: TokenSet

  init() throws {
    fake = try FakeIssuer()
    previous = try fake.tokens(access: "a0", refresh: "r0")
  }

  private func kind(_ answer: TokenAnswer) -> String {
    switch answer {
    case .granted(let tokens):
      "granted \(text(tokens.accessToken)) \(tokens.refreshToken.map(text) ?? "-") \(tokens.lifetime.wholeSeconds)"
    case .dead: "dead"
    case .misconfigured: "misconfigured"
    case .challenged: "challenged"
    case .declined(_, let retryAfter): "declined \(retryAfter.map(String.init) ?? "-")"
    case .unknown(_, let retryAfter): "unknown \(retryAfter.map(String.init) ?? "-")"
    }
  }

  @Test(arguments: [
    (200, #"{"access_token":"a1","refresh_token":"r1","token_type":"odd"}"#, "granted a1 r1 300"),
    (200, #"{"access_token":"a1","refresh_token":"r1","expires_in":"60"}"#, "granted a1 r1 60"),
    (200, #"{"refresh_token":"r1"}"#, "granted  r1 0"), (200, #"{"access_token":"a1"}"#, "unknown -"),
    (200, "<html>", "unknown -"), (200, #"{"access_token":"a1","refresh_to"#, "unknown -"),
    (500, "<html>", "unknown -"),
    (400, #"{"error":"invalid_grant"}"#, "dead"), (400, "", "dead"),
    (401, #"{"error":"invalid_client"}"#, "misconfigured"),
    (400, #"{"error":"unauthorized_client"}"#, "misconfigured"), (404, "", "misconfigured"),
    (307, "", "misconfigured"),
  ])
  func `B9, B12, B13, B15 - a refresh at didit`(status: Int, body: String, expected: String) throws {
    #expect(try kind(fake.didit().read(fake.answer(status, body), previous: previous)) == expected)
  }

  @Test(arguments: [3600, -5, Int64.max] as [Int64])
  func `B8 - how long to wait is passed on as it was sent`(seconds: Int64) throws {
    let answer = try fake.answer(503, "", retryAfter: seconds)
    #expect(try kind(fake.didit().read(answer, previous: previous)) == "declined \(seconds)")
  }

  @Test func `B12 - an issuer that may keep the old refresh token does`() throws {
    let answer = try fake.answer(200, #"{"access_token":"a1","expires_in":60}"#)
    #expect(try kind(fake.openID().read(answer, previous: previous)) == "granted a1 r0 60")
  }

  @Test func `B12 - an issuer that rotates and sends none leaves it unknown`() throws {
    let rotating = RotationPolicy(grace: .none, oracle: .none, reuseBlast: .unknown, keepsUnrotated: false)
    let answer = try fake.answer(200, #"{"access_token":"a1","expires_in":60}"#)
    #expect(try kind(fake.openID(rotating).read(answer, previous: previous)) == "unknown -")
  }

  @Test func `a code that brings no refresh token is still a sign-in`() throws {
    let answer = try fake.answer(200, #"{"access_token":"a1","expires_in":60}"#)
    #expect(try kind(fake.didit().read(answer, previous: nil)) == "granted a1 - 60")
  }

  @Test func `an answer that was cut is unknown`() throws {
    let answer = try fake.answer(200, #"{"access_token":"a1","refresh_token":"r1"}"#, isTruncated: true)
    #expect(try kind(fake.didit().read(answer, previous: previous)) == "unknown -")
  }

  @Test func `a token set without an access token is stored and not served`() async throws {
    let issuer = try fake.didit()
    guard case .granted(let tokens) = issuer.read(try fake.answer(200, #"{"refresh_token":"r1"}"#), previous: previous)
    else {
      Issue.record("not granted")
      return
    }
    let expectation = TokenExpectation(nonce: nil, subject: nil)
    #expect(
      await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, expectation) }?.isRefusal == true)
  }
}
