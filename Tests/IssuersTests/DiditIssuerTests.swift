import Exchange
import Issuers
import JSON
import Secrets
import Testing
import Time
import Vault

struct DiditIssuerTests {
  private let fake: FakeIssuer
  private let issuer: DiditIssuer
  private let anybody = TokenExpectation(nonce: nil, subject: nil)

  init() throws {
    fake = try FakeIssuer()
    issuer = try fake.didit()
  }

  @Test func `the authorization request has the contract's parameters and no other`() async throws {
    let url = try await issuer.authorizationURL(
      attempt(redirect: "http://localhost:8976/cb", scopes: ["email"], locales: ["de-DE", "ru", "en", "de"]))
    #expect(
      url == "https://acme.auth.didit.me/sign-in?redirect_uri=http%3A%2F%2Flocalhost%3A8976%2Fcb&state=st"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&ui_locales=de%20en")
  }

  @Test func `a code is redeemed by JSON at the token route`() async throws {
    let request = try await issuer.codeRequest(code: box("c1"), attempt: attempt())
    #expect(
      request.method == .post && request.url == "https://acme.auth.didit.me/token/" && request.contentType == .json)
    #expect(
      text(try #require(request.body))
        == #"{"grant_type":"authorization_code","code":"c1","code_verifier":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk","#
        + #""redirect_uri":"https://app.example/cb","client_id":"app"}"#)
  }

  @Test func `a code longer than Didit's is refused unsent`() async throws {
    let code = try box(String(repeating: "c", count: 129))
    await #expect(throws: IssuerError.self) { _ = try await issuer.codeRequest(code: code, attempt: attempt()) }
  }

  @Test func `a refresh sends the refresh token and no field that is not the grant's`() async throws {
    let request = try await issuer.refreshRequest(refreshToken: box("r1"))
    #expect(text(try #require(request.body)) == #"{"grant_type":"refresh_token","refresh_token":"r1"}"#)
  }

  @Test func `a narrowed refresh is not sent to an issuer that narrows nothing`() async throws {
    await #expect(throws: IssuerError.configuration("Didit grants one access token and narrows none")) {
      _ = try await issuer.refreshRequest(refreshToken: box("r1"), narrowing: Narrowing(scopes: ["a"], resource: nil))
    }
  }

  @Test func `the session is asked and ended at its route with the access token`() async throws {
    let check = try #require(issuer.sessionRequest(accessToken: box("a")))
    #expect(check.method == .get && check.url == "https://acme.auth.didit.me/session/" && check.bearer.map(text) == "a")
    let ending = try await issuer.endSessionRequests(fake.tokens(access: "a"))
    #expect(ending.map(\.method) == [.delete] && ending.map(\.url) == ["https://acme.auth.didit.me/session/"])
  }

  @Test func `who signed in comes from both tokens`() async throws {
    let tokens = try fake.tokens(
      access: fake.token("at+jwt", ["amr": .array([.string("pwd"), .string("otp")]), "sid": .string("s")]),
      id: fake.token(
        "JWT", ["email": .string("a@b.example"), "email_verified": .bool(true), "name": .string("a\u{1b}[2J")]))
    let identity = try await issuer.verify(tokens, anybody)
    #expect(identity.subject == "p1" && identity.issuer == FakeIssuer.origin)
    #expect(
      identity.claims.map { "\($0.name)=\($0.value)" }
        == ["email=a@b.example", "email_verified=true", "sub=p1", "amr=pwd otp"])
  }

  @Test(
    arguments: [
      ["iss": .string("https://login.acme.example")], ["aud": .string("other")], ["act": .object(JSONObject())],
      ["sub": .null], ["exp": .integer(1)], ["iat": .integer(2_000_000)], ["exp": .null],
    ] as [[String: JSONValue]])
  func `an access token that is not for us now is refused`(changes: [String: JSONValue]) async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt", changes))
    #expect(
      await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }?.isRefusal == true)
  }

  @Test func `a null actor is a person`() async throws {
    let key = try fake.token("at+jwt")
    _ = try await issuer.verify(fake.tokens(access: key), anybody)
  }

  @Test func `A16 - tokens of the wrong type are refused`() async throws {
    let access = try fake.token("at+jwt")
    let identity = try fake.token("JWT")
    for tokens in [
      try fake.tokens(access: identity), try fake.tokens(access: access, id: access), try fake.tokens(access: "opaque"),
    ] {
      let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }
      #expect(error?.isRefusal == true)
    }
  }

  @Test func `an ID token that names somebody else is refused`() async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt"), id: fake.token("JWT", ["sub": .string("p2")]))
    #expect(
      await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }?.isRefusal == true)
  }

  @Test func `tokens of somebody else than the account's person are refused`() async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    let expectation = TokenExpectation(nonce: nil, subject: "p2")
    #expect(
      await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, expectation) }?.isRefusal == true)
  }

  @Test func `without a known application any audience passes`() async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt", ["aud": .string("unknown")]))
    #expect(try await fake.didit(clientID: nil).verify(tokens, anybody).subject == "p1")
  }

  @Test func `keys that are not there mean that the product is off`() async throws {
    fake.publish(FakeIssuer.keysURL, "", status: 404)
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }
    #expect(error == .configuration("the issuer publishes no keys (status 404)"))
  }

  @Test func `keys that cannot be fetched now are no refusal`() async throws {
    fake.fail(.unknown("timeout"))
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }
    #expect(error == .temporary("the issuer's keys could not be fetched: timeout"))
  }

  @Test(arguments: ["https://acme.auth.didit.me/", "https://acme.auth.didit.me/x", "http://acme.auth.didit.me", "acme"])
  func `an origin that is none is a configuration error`(origin: String) {
    #expect(throws: IssuerError.self) {
      _ = try DiditIssuer(profile("didit", identifier: origin), fetch: fake.fetch, clock: fake.clock)
    }
  }
}
