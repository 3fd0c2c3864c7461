import Exchange
import Issuers
import Testing
import Vault

/// Didit's `monitoring-token/`.
struct DiditMonitoringTests {
  private let fake: FakeIssuer
  private let issuer: DiditIssuer

  init() throws {
    fake = try FakeIssuer()
    issuer = try fake.didit()
  }

  @Test func `the question is an empty object with the access token`() throws {
    let request = try issuer.monitoringTokenRequest(accessToken: box("a"))
    #expect(request.method == .post && request.url == "https://acme.auth.didit.me/monitoring-token/")
    #expect(request.bearer.map(text) == "a" && request.contentType == .json)
    #expect(text(try #require(request.body)) == "{}")
  }

  @Test(
    arguments: [
      (#"{"token":"m","expires_in":900}"#, 900), (#"{"monitoring_token":"m"}"#, 900),
      (#"{"credential":"m","expires_in":60,"more":[1]}"#, 60), (#"{"token":"m","expires_in":100000}"#, 900),
      (#"{"token":"m","expires_in":-1}"#, 0), (#"{"token":"m","expires_in":"60"}"#, 900),
    ] as [(String, Int64)])
  func `a credential is found under the usual names and lives 15 minutes at most`(body: String, life: Int64) throws {
    guard case .granted(let token, let lifetime) = issuer.readMonitoringToken(try fake.answer(200, body)) else {
      return #expect(Bool(false), "it is a credential")
    }
    #expect(text(token) == "m" && lifetime == .seconds(life))
  }

  @Test(arguments: ["", "{}", "[]", #"{"token":""}"#, #"{"token":7}"#, #"{"token":null}"#, "<html>"])
  func `an answer without a credential is none`(body: String) throws {
    guard case .misconfigured = issuer.readMonitoringToken(try fake.answer(200, body)) else {
      return #expect(Bool(false), "it is no credential")
    }
  }

  @Test(arguments: [#"{"error":"monitoring_unavailable"}"#, #"{"code":"monitoring_unavailable","detail":"x"}"#])
  func `not enabled is told apart from busy`(body: String) throws {
    guard case .notEnabled = issuer.readMonitoringToken(try fake.answer(503, body)) else {
      return #expect(Bool(false), "it is not enabled")
    }
    guard case .later(_, retryAfter: 9) = issuer.readMonitoringToken(try fake.answer(503, "", retryAfter: 9)) else {
      return #expect(Bool(false), "it is busy")
    }
    guard case .unauthorized = issuer.readMonitoringToken(try fake.answer(401, body)) else {
      return #expect(Bool(false), "it refuses the token")
    }
    guard case .refused = issuer.readMonitoringToken(try fake.answer(403, body)) else {
      return #expect(Bool(false), "it says no")
    }
  }
}
