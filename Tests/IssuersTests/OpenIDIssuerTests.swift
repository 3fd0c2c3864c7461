import Exchange
import Issuers
import JOSE
import JSON
import Secrets
import Testing
import Time
import Vault

struct OpenIDIssuerTests {
  private let fake: FakeIssuer
  private let issuer: OpenIDIssuer
  private let signIn: TokenExpectation

  init() throws {
    fake = try FakeIssuer()
    issuer = try fake.openID()
    signIn = TokenExpectation(nonce: try box("n1"), subject: nil)
  }

  private func verify(_ id: String?, _ expectation: TokenExpectation? = nil, access: String = "opaque") async throws
    -> IssuerError?
  {
    let tokens = try fake.tokens(access: access, id: id)
    let expectation = expectation ?? signIn
    return await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, expectation) }
  }

  @Test func `what a resource demanded of the sign-in is asked of the issuer`() async throws {
    let challenge = try AuthenticationChallenge(acrValues: ["urn:x:mfa", "urn:x:key"], maxAge: 60)
    let url = try await issuer.authorizationURL(attempt(challenge: challenge))
    #expect(url.contains("&acr_values=urn%3Ax%3Amfa%20urn%3Ax%3Akey&max_age=60"))
    let plain = try await issuer.authorizationURL(attempt())
    #expect(!plain.contains("acr_values") && !plain.contains("max_age"))
  }

  @Test func `the authorization request goes where the metadata says and asks for openid`() async throws {
    let url = try await issuer.authorizationURL(attempt(scopes: ["email"], locales: ["de", "en"]))
    #expect(
      url == "https://acme.auth.didit.me/authorize?client_id=app&response_type=code"
        + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=openid%20email&state=st&nonce=n1"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&ui_locales=de%20en")
  }

  @Test func `token requests are forms with the client's name`() async throws {
    let request = try await issuer.refreshRequest(refreshToken: box("r+1"))
    #expect(request.url == "https://acme.auth.didit.me/token" && request.contentType == .form)
    #expect(text(try #require(request.body)) == "grant_type=refresh_token&refresh_token=r%2B1&client_id=app")
  }

  @Test func `a narrowed refresh names scopes and resource`() async throws {
    let narrowing = Narrowing(scopes: ["write", "read", "read"], resource: "https://api.example/v1")
    #expect(narrowing == Narrowing(scopes: ["read", "write"], resource: "https://api.example/v1"))
    let request = try await issuer.refreshRequest(refreshToken: box("r1"), narrowing: narrowing)
    #expect(
      text(try #require(request.body)) == "grant_type=refresh_token&refresh_token=r1&scope=read%20write"
        + "&resource=https%3A%2F%2Fapi.example%2Fv1&client_id=app")
  }

  @Test func `a resource that is no absolute URI is not asked for`() async throws {
    await #expect(
      throws: IssuerError.configuration("a resource is an absolute URI without a fragment (RFC 8707 §2)")
    ) {
      _ = try await issuer.refreshRequest(
        refreshToken: box("r1"), narrowing: Narrowing(scopes: [], resource: "https://api.example/#a"))
    }
  }

  @Test func `revocation sends the refresh token first`() async throws {
    let requests = try await issuer.endSessionRequests(fake.tokens(access: "a", refresh: "r"))
    #expect(
      requests.compactMap { $0.body.map(text) } == [
        "token=r&token_type_hint=refresh_token&client_id=app", "token=a&token_type_hint=access_token&client_id=app",
      ])
  }

  @Test func `an issuer without revocation has nothing to end`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("revocation_endpoint", with: "x"))
    #expect(try await issuer.endSessionRequests(fake.tokens(access: "a")).isEmpty)
  }

  @Test func `revocation that only RFC 8414's metadata names is found there`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("revocation_endpoint", with: "x"))
    fake.publish("https://acme.auth.didit.me/.well-known/oauth-authorization-server", FakeIssuer.metadata)
    let requests = try await issuer.endSessionRequests(fake.tokens(access: "a"))
    #expect(requests.map(\.url) == Array(repeating: "https://acme.auth.didit.me/revoke", count: 2))
  }

  @Test func `an endpoint that OpenID's document lacks is found in RFC 8414's`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("token_endpoint", with: "x"))
    await #expect(throws: IssuerError.configuration("the issuer's metadata has no token_endpoint")) {
      _ = try await issuer.refreshRequest(refreshToken: box("r"))
    }
    let other = try fake.openID()
    fake.publish("https://acme.auth.didit.me/.well-known/oauth-authorization-server", FakeIssuer.metadata)
    #expect(try await other.refreshRequest(refreshToken: box("r")).url == "https://acme.auth.didit.me/token")
  }

  @Test func `what OpenID's document names is not asked for elsewhere`() async throws {
    _ = try await issuer.endSessionRequests(fake.tokens(access: "a"))
    #expect(fake.fetches("https://acme.auth.didit.me/.well-known/oauth-authorization-server") == 0)
  }

  @Test func `metadata of another issuer in the second place is refused too`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("revocation_endpoint", with: "x"))
    fake.publish(
      "https://acme.auth.didit.me/.well-known/oauth-authorization-server",
      FakeIssuer.metadata.replacing("\"issuer\":\"https://a", with: "\"issuer\":\"https://b"))
    await #expect(throws: IssuerError.configuration("the metadata found there is another issuer's")) {
      _ = try await issuer.endSessionRequests(fake.tokens(access: "a"))
    }
  }

  @Test func `a resource that is configured is in all three requests`() async throws {
    var options = IssuerOptions()
    options.resource = "https://api.example"
    let issuer = try fake.openID(options: options)
    let query = "&resource=https%3A%2F%2Fapi.example"
    #expect(try await issuer.authorizationURL(attempt()).contains(query))
    #expect(text(try #require(await issuer.codeRequest(code: box("c"), attempt: attempt()).body)).contains(query))
    #expect(text(try #require(await issuer.refreshRequest(refreshToken: box("r")).body)).contains(query))
    let narrowed = try await issuer.refreshRequest(
      refreshToken: box("r"), narrowing: Narrowing(scopes: [], resource: "urn:other:api"))
    #expect(text(try #require(narrowed.body)).contains("&resource=urn%3Aother%3Aapi&"))
  }

  @Test func `the browser's session is ended by a form that holds the ID token`() async throws {
    let metadata = FakeIssuer.metadata.replacing(
      "{", with: #"{"end_session_endpoint":"https://acme.auth.didit.me/logout","#)
    fake.publish(FakeIssuer.metadataURL, metadata)
    let request = try #require(try await issuer.logoutRequest(fake.tokens(access: "a", id: "e.y.J")))
    #expect(request.method == .post && request.url == "https://acme.auth.didit.me/logout")
    #expect(text(try #require(request.body)) == "id_token_hint=e.y.J&client_id=app")
    let without = try await issuer.logoutRequest(fake.tokens(access: "a"))
    #expect(without == nil)
  }

  @Test func `an issuer without logout has no browser's session to end`() async throws {
    let request = try await issuer.logoutRequest(fake.tokens(access: "a", id: "e.y.J"))
    #expect(request == nil)
  }

  @Test func `a page where there is no metadata means no revocation`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("revocation_endpoint", with: "x"))
    fake.publish("https://acme.auth.didit.me/.well-known/oauth-authorization-server", "<html>")
    #expect(try await issuer.endSessionRequests(fake.tokens(access: "a")).isEmpty)
  }

  @Test func `a promise of iss is read from the metadata`() async throws {
    #expect(try await issuer.promisesIssuerParameter())
  }

  @Test func `metadata of another issuer is a configuration error`() async throws {
    fake.publish(
      FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("\"issuer\":\"https://a", with: "\"issuer\":\"https://b"))
    await #expect(throws: IssuerError.configuration("the metadata found there is another issuer's")) {
      _ = try await issuer.promisesIssuerParameter()
    }
  }

  @Test func `metadata that only RFC 8414's place has is found there`() async throws {
    fake.publish(FakeIssuer.metadataURL, "", status: 404)
    fake.publish("https://acme.auth.didit.me/.well-known/oauth-authorization-server", FakeIssuer.metadata)
    #expect(try await issuer.promisesIssuerParameter())
  }

  @Test func `a page instead of metadata is temporary`() async throws {
    fake.publish(FakeIssuer.metadataURL, "<html>")
    let tokens = try fake.tokens(access: "a")
    do throws(IssuerError) {
      _ = try await issuer.endSessionRequests(tokens)
      Issue.record("no error")
    } catch {
      #expect(!error.isRefusal && error != .configuration("the issuer's metadata is malformed"))
    }
  }

  @Test func `old metadata bridges an hour in which none can be fetched`() async throws {
    _ = try await issuer.refreshRequest(refreshToken: box("r"))
    fake.fail(.notSent("offline"))
    fake.clock.advance(by: .seconds(7200))
    #expect(try await issuer.refreshRequest(refreshToken: box("r")).url == "https://acme.auth.didit.me/token")
  }

  @Test func `an ID token with the attempt's nonce says who signed in`() async throws {
    #expect(try await verify(fake.token("JWT", ["nonce": .string("n1")])) == nil)
    #expect(try await verify(fake.token(nil, ["nonce": .string("n1")])) == nil)
  }

  @Test(
    arguments: [
      ["nonce": .string("n2")], ["nonce": .null], ["nonce": .string("n1"), "aud": .string("x")],
      ["nonce": .string("n1"), "iss": .string("https://other.example")],
      ["nonce": .string("n1"), "at_hash": .string("x")], ["nonce": .string("n1"), "azp": .string("x")],
      ["nonce": .string("n1"), "exp": .integer(1)], ["nonce": .string("n1"), "sub": .null],
    ] as [[String: JSONValue]])
  func `an ID token that is not this attempt's is refused`(changes: [String: JSONValue]) async throws {
    #expect(try await verify(fake.token("JWT", changes))?.isRefusal == true)
  }

  @Test func `A16 - an access token passed as an ID token is refused`() async throws {
    #expect(try await verify(fake.token("at+jwt", ["nonce": .string("n1")]))?.isRefusal == true)
  }

  @Test func `A16 - an opaque access token is never looked into`() async throws {
    let identity = try fake.token("JWT", ["nonce": .string("n1")])
    #expect(try await verify(identity, access: "eyJ.not.a-token") == nil)
  }

  @Test func `a sign-in without ID token is refused and a refresh without one is not`() async throws {
    #expect(try await verify(nil)?.isRefusal == true)
    #expect(try await verify(nil, TokenExpectation(nonce: nil, subject: "p1")) == nil)
  }

  @Test func `B18 - an issuer that changed its name is not followed`() async throws {
    let id = try fake.token("JWT", ["iss": .string("https://login.acme.example")])
    #expect(try await verify(id, TokenExpectation(nonce: nil, subject: "p1"))?.isRefusal == true)
  }

  @Test func `a client is needed`() {
    #expect(throws: IssuerError.configuration("an OAuth or OpenID issuer needs a client-id")) {
      _ = try OpenIDIssuer(profile("openid", clientID: nil), fake.services)
    }
  }
}
