import Exchange
import Issuers
import OAuth
import Secrets
import Testing
import Vault

/// An authorization server without OpenID.
struct OAuthIssuerTests {
  private static let place = FakeIssuer.origin + "/.well-known/oauth-authorization-server"
  private static let people = "https://api.acme.example/me"
  private let fake: FakeIssuer
  private let signIn: TokenExpectation

  init() throws {
    fake = try FakeIssuer()
    signIn = TokenExpectation(nonce: try box("n1"), subject: nil)
  }

  private func writtenOut(_ more: [ServerEndpoint: String] = [:], subjectClaim: String? = nil) throws -> OAuthIssuer {
    var options = IssuerOptions()
    let usual = [ServerEndpoint.authorization: "https://acme.example/a", .token: "https://acme.example/t"]
    options.endpoints = usual.merging(more) { $1 }
    options.subjectClaim = subjectClaim
    return try fake.oauth(options)
  }

  @Test func `endpoints that are written out are used and nothing is fetched`() async throws {
    let issuer = try writtenOut([.revocation: "https://acme.example/r"])
    let url = try await issuer.authorizationURL(attempt(scopes: ["repo"]))
    #expect(
      url == "https://acme.example/a?client_id=app&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"
        + "&scope=repo&state=st&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
    #expect(try await issuer.codeRequest(code: box("c"), attempt: attempt()).url == "https://acme.example/t")
    #expect(try await issuer.refreshRequest(refreshToken: box("r")).url == "https://acme.example/t")
    #expect(try await issuer.endSessionRequests(fake.tokens(access: "a")).map(\.url).last == "https://acme.example/r")
    #expect(try await !issuer.promisesIssuerParameter())
    #expect(fake.fetches(Self.place) == 0 && fake.fetches(FakeIssuer.metadataURL) == 0)
  }

  @Test func `where nothing is written out RFC 8414's metadata is found`() async throws {
    fake.publish(Self.place, FakeIssuer.metadata)
    let issuer = try fake.oauth()
    #expect(try await issuer.refreshRequest(refreshToken: box("r")).url == "https://acme.auth.didit.me/token")
    #expect(fake.fetches(FakeIssuer.metadataURL) == 0)
  }

  @Test func `an issuer without revocation has nothing to end`() async throws {
    #expect(try await writtenOut().endSessionRequests(fake.tokens(access: "a")).isEmpty)
  }

  @Test func `an endpoint by plain http is refused`() {
    #expect(throws: IssuerError.configuration("token-endpoint is not an https address")) {
      _ = try writtenOut([.token: "http://acme.example/t"])
    }
  }

  @Test(arguments: [
    (nil, #"{"sub":"p1"}"#, "p1"), ("id", #"{"id":583231,"login":"octocat"}"#, "583231"),
    ("login", #"{"id":1,"login":"octocat"}"#, "octocat"),
  ])
  func `who signed in is what the userinfo endpoint says`(claim: String?, body: String, subject: String) async throws {
    fake.publish(Self.people, body)
    let issuer = try writtenOut([.userInfo: Self.people], subjectClaim: claim)
    let identity = try await issuer.verify(fake.tokens(access: "a1"), signIn)
    #expect(identity.subject == subject && identity.issuer == FakeIssuer.origin)
    #expect(fake.requests.map { $0.bearer.map(text) } == ["a1"])
  }

  @Test func `a refresh asks nobody who it is`() async throws {
    let issuer = try writtenOut([.userInfo: Self.people])
    let identity = try await issuer.verify(
      fake.tokens(access: "a2"), TokenExpectation(nonce: nil, subject: "p1"))
    #expect(identity.subject == "p1" && fake.fetches(Self.people) == 0)
  }

  @Test func `without a userinfo endpoint nobody knows who signed in`() async throws {
    let identity = try await writtenOut().verify(fake.tokens(access: "a1"), signIn)
    #expect(identity.subject.isEmpty && identity.claims.isEmpty)
  }

  @Test(arguments: [
    (200, #"{"name":"x"}"#), (200, #"{"sub":""}"#), (200, #"{"sub":["a"]}"#), (200, #"{"sub":"\u00e9"}"#), (404, ""),
  ])
  func `a userinfo endpoint that names nobody is a configuration error`(status: Int, body: String) async throws {
    fake.publish(Self.people, body, status: status)
    let (issuer, tokens) = (try writtenOut([.userInfo: Self.people]), try fake.tokens(access: "a1"))
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, signIn) }
    guard case .configuration? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [401, 403])
  func `a token that the userinfo endpoint does not take is refused`(status: Int) async throws {
    fake.publish(Self.people, "", status: status)
    let (issuer, tokens) = (try writtenOut([.userInfo: Self.people]), try fake.tokens(access: "a1"))
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, signIn) }
    #expect(error?.isRefusal == true)
  }

  @Test func `a page instead of a person is temporary`() async throws {
    fake.publish(Self.people, "<html>")
    let (issuer, tokens) = (try writtenOut([.userInfo: Self.people]), try fake.tokens(access: "a1"))
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, signIn) }
    #expect(error == .temporary("what the issuer says of who signed in could not be read"))
  }

  @Test func `a lifetime that is not told is what is configured`() throws {
    var options = IssuerOptions()
    options.assumedLifetime = .seconds(86400)
    let answer = try fake.answer(200, #"{"access_token":"gho_1","token_type":"bearer","scope":"repo"}"#)
    guard case .granted(let tokens) = try fake.oauth(options).read(answer, previous: nil) else {
      Issue.record("not granted")
      return
    }
    #expect(tokens.lifetime == .seconds(86400) && tokens.refreshToken == nil)
  }
}
