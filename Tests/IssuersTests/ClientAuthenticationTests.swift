import Exchange
import Issuers
import Secrets
import Testing
import Vault

/// How a client with a secret shows who it is (RFC 6749 §2.3.1).
struct ClientAuthenticationTests {
  private let fake: FakeIssuer

  init() throws { fake = try FakeIssuer() }

  private func issuer(
    _ authentication: IssuerOptions.ClientAuthentication = .auto, file: String = "/secret"
  ) throws -> OpenIDIssuer {
    var options = IssuerOptions()
    options.clientSecretFile = file
    options.clientAuthentication = authentication
    return try fake.openID(options: options)
  }

  private func publish(methods: String) {
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing("{", with: #"{"token_endpoint_auth_methods_supported":[\#(methods)],"#))
  }

  /// `app:s3cret%20%25` in base64: both parts form-encoded first.
  private static let credentials = "YXBwOnMzY3JldCUyMCUyNQ=="

  @Test(arguments: [nil, #""client_secret_basic","client_secret_post""#, #""private_key_jwt""#])
  func `the secret goes into the header where nothing else is wanted`(methods: String?) async throws {
    if let methods { publish(methods: methods) }
    let request = try await issuer().refreshRequest(refreshToken: box("r"))
    #expect(request.basic.map(text) == Self.credentials && request.bearer == nil)
    #expect(text(try #require(request.body)) == "grant_type=refresh_token&refresh_token=r")
  }

  @Test func `the secret goes into the form where the issuer takes it only there`() async throws {
    publish(methods: #""none","client_secret_post""#)
    let request = try await issuer().refreshRequest(refreshToken: box("r"))
    #expect(request.basic == nil)
    #expect(
      text(try #require(request.body))
        == "grant_type=refresh_token&refresh_token=r&client_id=app&client_secret=s3cret%20%25")
  }

  @Test func `what is configured counts more than what the issuer lists`() async throws {
    let posted = try await issuer(.post).codeRequest(code: box("c"), attempt: attempt())
    #expect(text(try #require(posted.body)).hasSuffix("&client_id=app&client_secret=s3cret%20%25"))
    publish(methods: #""client_secret_post""#)
    let header = try await issuer(.basic).codeRequest(code: box("c"), attempt: attempt())
    #expect(header.basic.map(text) == Self.credentials)
  }

  @Test func `revocation and pushed requests show the secret too`() async throws {
    let endpoint = FakeIssuer.origin + "/par"
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing("{", with: #"{"pushed_authorization_request_endpoint":"\#(endpoint)","#))
    fake.publish(endpoint, #"{"request_uri":"urn:x:y","expires_in":60}"#, status: 201)
    let issuer = try issuer()
    let ends = try await issuer.endSessionRequests(fake.tokens(access: "a"))
    #expect(ends.map { $0.basic.map(text) } == [Self.credentials, Self.credentials])
    _ = try await issuer.authorizationURL(attempt())
    let pushed = try #require(fake.requests.first)
    #expect(pushed.basic.map(text) == Self.credentials)
    #expect(text(try #require(pushed.body)).hasPrefix("client_id=app&"))
  }

  @Test func `a secret that cannot be read sends nothing`() async throws {
    let issuer = try issuer(file: "/elsewhere")
    await #expect(throws: IssuerError.configuration("client-secret-file is not there")) {
      _ = try await issuer.refreshRequest(refreshToken: box("r"))
    }
  }

  @Test func `the browser never gets the secret`() async throws {
    #expect(try await !issuer(.post).authorizationURL(attempt()).contains("s3cret"))
  }
}
