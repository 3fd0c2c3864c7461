import Exchange
import OAuth
import Secrets
import Testing
import Time

struct TokenEndpointAnswerTests {
  private func answer(
    _ status: Int, _ body: String, retryAfter: Int64? = nil, nonce: String? = nil, isTruncated: Bool = false
  ) throws -> TokenEndpointAnswer {
    TokenEndpointAnswer(
      HTTPAnswer(
        status: status, date: nil, retryAfter: retryAfter, dpopNonce: nonce, contentType: "",
        body: try box(body), isTruncated: isTruncated, receivedAt: BootInstant(nanoseconds: 0),
        receivedBoot: BootID(high: 0, low: 0),
        receivedWall: WallInstant(seconds: 0)))
  }

  private func granted(_ body: String) throws -> TokenResponse? {
    switch try answer(200, body) {
    case .granted(let response): response
    case .dead, .misconfigured, .declined, .challenged, .unknown: nil
    }
  }

  private func kind(_ answer: TokenEndpointAnswer) -> String {
    switch answer {
    case .granted: "granted"
    case .dead: "dead"
    case .misconfigured: "misconfigured"
    case .declined: "declined"
    case .challenged(_, let hasNonce): hasNonce ? "challenged" : "challenged, no nonce"
    case .unknown: "unknown"
    }
  }

  @Test(arguments: [
    (#"{"error":"bad_verification_code"}"#, true), (#"{"error":"bad_refresh_token"}"#, true),
    (#"{"error":"incorrect_client_credentials"}"#, false),
  ])
  func `GitHub's errors count with a status that means success`(body: String, isDead: Bool) throws {
    switch try answer(200, body) {
    case .dead: #expect(isDead)
    case .misconfigured: #expect(!isDead)
    case .granted, .declined, .challenged, .unknown: Issue.record("neither dead nor misconfigured")
    }
  }

  @Test(
    arguments: [
      (400, #"{"error":"use_dpop_nonce"}"#, "n", "challenged"),
      (401, #"{"error":"use_dpop_nonce"}"#, "n", "challenged"),
      (400, #"{"error":"use_dpop_nonce"}"#, nil, "challenged, no nonce"),
      (400, #"{"error":"invalid_dpop_proof"}"#, "n", "challenged, no nonce"),
      (400, #"{"error":"invalid_grant"}"#, "n", "dead"), (200, #"{"error":"use_dpop_nonce"}"#, "n", "unknown"),
      (500, #"{"error":"use_dpop_nonce"}"#, "n", "unknown"),
    ] as [(Int, String, String?, String)])
  func `B20 whoever wants a nonce in the proof has not looked at the token`(
    status: Int, body: String, nonce: String?, meaning: String
  ) throws {
    #expect(kind(try answer(status, body, nonce: nonce)) == meaning)
  }

  @Test(
    arguments: [#""refresh_token":"r""#, #""access_token":"a","token_type":"DPoP""#],
    ["use_dpop_nonce", "invalid_dpop_proof", "invalid_grant", "invalid_client"])
  func `B20 whoever refuses and hands out tokens is not believed`(tokens: String, error: String) throws {
    for status in [400, 401] {
      #expect(kind(try answer(status, #"{"error":"\#(error)",\#(tokens)}"#, nonce: "n")) == "unknown")
    }
  }

  @Test func `all that a token response grants is read`() throws {
    let body = """
      {"access_token":"a","token_type":"Bearer","expires_in":300,"refresh_token":"r","id_token":"i.i.i","scope":"openid x"}
      """
    let response = try #require(try granted(body))
    #expect(
      text(response.accessToken) == "a" && text(response.refreshToken) == "r" && text(response.idToken) == "i.i.i")
    #expect(response.tokenType == "Bearer" && response.expiresIn == 300 && response.scope == "openid x")
  }

  @Test(arguments: [
    #"{"refresh_token":"r","access_token":"a","token_type":7,"expires_in":null}"#,
    #"{"refresh_token":"r","access_token":"a","token_type":{"x":["}"]},"expires_in":"soon","new":[{"a":{}}]}"#,
    #"{"a":1,"a":2,"refresh_token":"r","access_token":"a"}"#, #"{"refresh_token":"r","access_token":"a",}"#,
    #"  {"refresh\u005ftoken":"r","access_token":"a","s":"\ud800"} trailing"#,
    #"{"n":1e999,"b":tru,"refresh_token":"r" "access_token" "a"}"#, "{\"x\":\"\u{1}\",\"refresh_token\":\"r\"}",
    "\u{feff}{\"refresh_token\":\"r\"}", #"{"refresh_token":"r","expires_in":-1}"#,
    #"{"error":"odd","refresh_token":"r"}"#,
    #"{"refresh_token":"r","deep":\#(String(repeating: "[", count: 9000))\#(String(repeating: "]", count: 9000))}"#,
  ])
  func `a rotated token is found whatever stands beside it`(body: String) throws {
    #expect(text(try #require(try granted(body)).refreshToken) == "r")
  }

  @Test(
    arguments: [
      ("300", 300), ("\"300\"", 300), ("299.9", 299), ("0", 0), ("-5", 0), ("3e2", 300),
      ("99999999999999999999", TokenResponse.maximumLifetime), ("\"forever\"", nil), ("null", nil), ("[300]", nil),
    ] as [(String, Int64?)])
  func `a lifetime is read however it is written, within bounds`(written: String, expected: Int64?) throws {
    #expect(try granted(#"{"access_token":"a","expires_in":\#(written)}"#)?.expiresIn == expected)
  }

  @Test func `escapes in a token are undone`() throws {
    #expect(text(try granted(#"{"access_token":"a\/b\u002b","refresh_token":"\u00e9\"\\"}"#)?.refreshToken) == "é\"\\")
    #expect(text(try granted(#"{"access_token":"a\/b\u002b"}"#)?.accessToken) == "a/b+")
    #expect(text(try granted(#"{"refresh_token":"\ud83d\ude00"}"#)?.refreshToken) == "\u{1f600}")
    #expect(text(try granted(#"{"refresh_token":"\ud83d\u0041\ude00"}"#)?.refreshToken) == "\u{fffd}A\u{fffd}")
    #expect(text(try granted(#"{"refresh_token":"\u-041\u+041"}"#)?.refreshToken) == "-041+041")
  }

  @Test func `a token whose name or value is all escapes is not lost`() throws {
    let name = "refresh_token".unicodeScalars.map { #"\u00"# + String($0.value, radix: 16) }.joined()
    let token = String(repeating: #"\u0041"#, count: TokenResponse.maximumToken / 2)
    let response = try #require(try granted(#"{"access_token":"a","\#(name)":"\#(token)"}"#))
    #expect(response.refreshToken?.count == TokenResponse.maximumToken / 2)
  }

  @Test(arguments: ["a b", "a\\nb", "", "é"])
  func `an access token that no header field may hold is left out`(token: String) throws {
    let response = try #require(try granted(#"{"access_token":"\#(token)","refresh_token":"r"}"#))
    #expect(response.accessToken == nil && text(response.refreshToken) == "r")
  }

  @Test func `of a token that occurs twice the last counts`() throws {
    #expect(text(try granted(#"{"refresh_token":"old","refresh_token":"new"}"#)?.refreshToken) == "new")
  }

  @Test func `a response cut at any byte is unknown`() throws {
    let body = #"{"access_token":"a","refresh_token":"r\"","x":[1,{"y":"]"}],"expires_in":3}"#
    for count in 0..<body.utf8.count {
      #expect(kind(try answer(200, String(body.prefix(count)))) == "unknown")
    }
  }

  @Test(arguments: [
    (200, "<!DOCTYPE html><html>"), (200, ""), (200, "[]"), (200, "{}"), (200, #"{"error":"invalid_grant"}"#),
    (408, ""), (425, ""), (429, #"{"error":"invalid_grant"}"#), (503, #"{"error":"server_error"}"#),
    (429, #"{"refresh_token":"r"}"#), (503, "<html>"), (502, #"{"error":"temporarily_unavailable"}"#),
    (500, "<html>"), (502, ""), (503, "{}"),
    (504, #"{"error":"invalid_grant"}"#), (403, "blocked"), (400, "<html>Bad Request</html>"), (400, "{}"),
    (400, #"{"error":"something_new"}"#), (401, ""), (400, #"{"error":"invalid_gra"#), (418, ""),
  ])
  func `what says nothing clear of the token's fate is unknown`(status: Int, body: String) throws {
    #expect(kind(try answer(status, body)) == "unknown")
  }

  @Test(
    arguments: [
      (429, "", nil), (429, "<html>", 5), (429, #"{"error":"rate_limited"}"#, nil), (429, "{}", 0),
      (503, "", 120), (503, "<html>", 0), (503, "{}", .max), (503, #"{"error":"temporarily_unavailable"}"#, nil),
      (503, #"{"error":"slow_down"}"#, nil),
    ] as [(Int, String, Int64?)])
  func `B8 a request that was turned away spent no token`(status: Int, body: String, retryAfter: Int64?) throws {
    #expect(kind(try answer(status, body, retryAfter: retryAfter)) == "declined")
  }

  @Test(arguments: [429, 503])
  func `B8 an answer that speaks of the token beside it is not believed`(status: Int) throws {
    for body in [
      #"{"error":"invalid_grant"}"#, #"{"access_token":"a"}"#, #"{"refresh_token":"r","error":"slow_down"}"#,
    ] {
      #expect(kind(try answer(status, body, retryAfter: 5)) == "unknown")
    }
  }

  @Test(arguments: [429, 503])
  func `B8 an answer that breaks off is not believed, wherever it does`(status: Int) throws {
    let body = #"{"error":"slow_down","refresh_token":"r","expires_in":3}"#
    for count in 1..<body.utf8.count {
      #expect(kind(try answer(status, String(body.prefix(count)), retryAfter: 5)) == "unknown", "cut to \(count)")
    }
  }

  @Test(arguments: [408, 425, 500, 502, 504])
  func `a Retry-After does not make another failure known`(status: Int) throws {
    #expect(kind(try answer(status, #"{"error":"temporarily_unavailable"}"#, retryAfter: 5)) == "unknown")
  }

  @Test(arguments: [
    (#""mail""#, false), (#""""#, false), ("null", false), (#"["mail"]"#, true), ("{}", true), ("7", true),
    (#""m\u00fcll""#, true), (#""m\u0000""#, true),
  ])
  func `a scope that is none is told apart from one that is not there`(scope: String, isUnreadable: Bool) throws {
    let response = try #require(try granted(#"{"access_token":"a","scope":\#(scope),"refresh_token":"r"}"#))
    #expect(response.isScopeUnreadable == isUnreadable && text(response.refreshToken) == "r")
    #expect(try granted(#"{"access_token":"a"}"#)?.isScopeUnreadable == false)
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant","error_description":"x"}"#), (400, ""),
    (400, #"{"code":"invalid_grant"}"#),
  ])
  func `a clear refusal of the token is definite`(status: Int, body: String) throws {
    #expect(kind(try answer(status, body)) == "dead")
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_client"}"#), (401, #"{"error":"invalid_client"}"#),
    (400, #"{"error":"unauthorized_client"}"#), (400, #"{"error":"unknown_field"}"#),
    (400, #"{"error":"unsupported_grant_type"}"#), (404, ""), (404, "<html>"), (404, #"{"error":"invalid_grant"}"#),
    (307, ""), (302, "<html>"),
  ])
  func `a refusal of us keeps the tokens`(status: Int, body: String) throws {
    #expect(kind(try answer(status, body)) == "misconfigured")
  }

  @Test func `an answer that was cut by the courier is unknown though its tokens are whole`() throws {
    #expect(kind(try answer(200, #"{"access_token":"a","refresh_token":"r"}"#, isTruncated: true)) == "unknown")
    #expect(kind(try answer(400, "", isTruncated: true)) == "unknown")
  }

  @Test func `no reason repeats what the issuer wrote`() throws {
    let body = #"{"error":"SENTINEL","error_description":"SENTINEL"}"#
    for status in [200, 302, 400, 401, 403, 404, 500] { #expect(!"\(try answer(status, body))".contains("SENTINEL")) }
  }
}
