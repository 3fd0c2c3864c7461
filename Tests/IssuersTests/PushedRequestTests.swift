import Exchange
import Issuers
import Secrets
import Testing
import Vault

/// Pushed authorization requests (RFC 9126).
struct PushedRequestTests {
  private static let endpoint = FakeIssuer.origin + "/par"
  private let fake: FakeIssuer

  init() throws {
    fake = try FakeIssuer()
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing("{", with: #"{"pushed_authorization_request_endpoint":"\#(Self.endpoint)","#))
    fake.publish(Self.endpoint, #"{"request_uri":"urn:ietf:params:oauth:request_uri:1","expires_in":60}"#, status: 201)
  }

  private func issuer(_ pushed: IssuerOptions.PushedAuthorization = .auto) throws -> OpenIDIssuer {
    var options = IssuerOptions()
    options.pushedAuthorization = pushed
    return try fake.openID(options: options)
  }

  private func refusal(_ pushed: IssuerOptions.PushedAuthorization = .auto) async throws -> IssuerError? {
    let (issuer, attempt) = (try issuer(pushed), try attempt())
    do throws(IssuerError) {
      _ = try await issuer.authorizationURL(attempt)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the browser gets the client's name and the request's, and nothing else`() async throws {
    let url = try await issuer().authorizationURL(attempt(scopes: ["email"]))
    #expect(
      url == "https://acme.auth.didit.me/authorize?client_id=app"
        + "&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A1")
    let pushed = try #require(fake.requests.first)
    #expect(pushed.url == Self.endpoint && pushed.method == .post && pushed.contentType == .form)
    #expect(
      text(try #require(pushed.body)) == "client_id=app&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"
        + "&scope=openid%20email&state=st&nonce=n1"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
  }

  @Test func `each attempt pushes its own, since a name works once`() async throws {
    let issuer = try issuer()
    for _ in 0..<2 { _ = try await issuer.authorizationURL(attempt()) }
    #expect(fake.fetches(Self.endpoint) == 2)
  }

  @Test func `an issuer without the endpoint gets the request by way of the browser`() async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata)
    #expect(try await issuer().authorizationURL(attempt()).contains("&state=st"))
  }

  @Test func `never means never, and always needs the endpoint`() async throws {
    #expect(try await issuer(.never).authorizationURL(attempt()).contains("&state=st"))
    #expect(fake.fetches(Self.endpoint) == 0)
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata)
    #expect(
      try await refusal(.always)
        == .configuration("the issuer's metadata has no pushed_authorization_request_endpoint"))
  }

  @Test func `an issuer that demands pushed requests and does not say where is misconfigured`() async throws {
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing("{", with: #"{"require_pushed_authorization_requests":true,"#))
    #expect(
      try await refusal() == .configuration("the issuer's metadata has no pushed_authorization_request_endpoint"))
  }

  @Test func `a refusal is told with the issuer's word if it is a known one`() async throws {
    fake.publish(Self.endpoint, #"{"error":"invalid_scope","error_description":"<b>"}"#, status: 400)
    #expect(
      try await refusal() == .configuration("the issuer refused the pushed authorization request: invalid_scope"))
    fake.publish(Self.endpoint, #"{"error":"<b>"}"#, status: 403)
    #expect(try await refusal() == .configuration("the issuer refused the pushed authorization request: status 403"))
  }

  @Test(arguments: [(503, "{}"), (429, "{}"), (201, "<html>"), (201, #"{"request_uri":"urn:x:y","expires_in":4}"#)])
  func `what may pass is temporary`(status: Int, body: String) async throws {
    fake.publish(Self.endpoint, body, status: status)
    guard case .temporary? = try await refusal() else {
      Issue.record("not temporary")
      return
    }
  }
}
