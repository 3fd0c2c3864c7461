import Exchange
import Issuers
import OAuth
import Secrets
import Testing
import Vault

/// The device authorization grant at OpenID and OAuth servers: where it is, what is sent, and who signed in without an ID
/// token.
struct DeviceGrantTests {
  private static let endpoint = FakeIssuer.origin + "/device"
  private static let userInfo = FakeIssuer.origin + "/me"
  private static let nobodyExpected = TokenExpectation(nonce: nil, subject: nil)

  private let fake: FakeIssuer

  init() throws { fake = try FakeIssuer() }

  /// The metadata with one more member.
  private func publish(_ name: String, _ url: String) {
    let more = "\"\(name)\":\"\(url)\",\"jwks_uri\""
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("\"jwks_uri\"", with: more))
  }

  private func writtenOut(_ endpoints: [ServerEndpoint: String]) -> IssuerOptions {
    var options = IssuerOptions()
    options.endpoints = endpoints
    return options
  }

  private func verify(_ told: String?, status: Int = 200) async throws -> Result<VerifiedIdentity, IssuerError> {
    publish("userinfo_endpoint", Self.userInfo)
    if let told { fake.publish(Self.userInfo, told, status: status) }
    let (issuer, tokens) = (try fake.openID(), try fake.tokens(access: "opaque"))
    do throws(IssuerError) {
      return .success(try await issuer.verify(tokens, Self.nobodyExpected))
    } catch {
      return .failure(error)
    }
  }

  @Test func `an issuer has the grant when its metadata or the configuration names the endpoint`() async throws {
    #expect(try await !fake.openID().offersDeviceGrant())
    #expect(try await fake.openID(options: writtenOut([.deviceAuthorization: Self.endpoint])).offersDeviceGrant())
    publish("device_authorization_endpoint", Self.endpoint)
    #expect(try await fake.openID().offersDeviceGrant())
  }

  @Test func `an endpoint that is not https is refused`() async throws {
    publish("device_authorization_endpoint", "http://acme.auth.didit.me/device")
    await #expect(throws: IssuerError.self) { try await fake.openID().offersDeviceGrant() }
  }

  @Test func `the configured endpoint counts before the metadata's`() async throws {
    publish("device_authorization_endpoint", Self.endpoint)
    let issuer = try fake.openID(options: writtenOut([.deviceAuthorization: Self.endpoint + "/2"]))
    let request = try await issuer.deviceCodesRequest(scopes: ["email"])
    #expect(request.url == Self.endpoint + "/2" && request.contentType == .form && request.bearer == nil)
    #expect(text(try #require(request.body)) == "client_id=app&scope=openid%20email")
  }

  @Test func `a poll goes to the token endpoint, with neither verifier nor nonce`() async throws {
    let request = try await fake.openID().deviceRequest(deviceCode: box("dc"))
    #expect(request.url == FakeIssuer.origin + "/token")
    #expect(
      text(try #require(request.body))
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=dc&client_id=app")
  }

  @Test func `an OAuth server is asked for no more scopes than wanted`() async throws {
    let endpoints: [ServerEndpoint: String] = [
      .authorization: FakeIssuer.origin + "/a", .token: FakeIssuer.origin + "/t", .deviceAuthorization: Self.endpoint,
    ]
    let request = try await fake.oauth(writtenOut(endpoints)).deviceCodesRequest(scopes: ["email"])
    #expect(text(try #require(request.body)) == "client_id=app&scope=email")
  }

  @Test func `a client with a secret shows it with every poll`() async throws {
    var options = writtenOut([.deviceAuthorization: Self.endpoint])
    options.clientSecretFile = "/secret"
    let issuer = try fake.openID(options: options)
    #expect(try await issuer.deviceCodesRequest(scopes: []).basic != nil)
    #expect(try await issuer.deviceRequest(deviceCode: box("dc")).basic != nil)
  }

  @Test func `without an ID token the issuer is asked who it is`() async throws {
    let identity = try await verify(#"{"sub":"p7","email":"ada@example.org"}"#).get()
    #expect(identity.subject == "p7" && identity.issuer == FakeIssuer.origin)
    #expect(identity.claims.map(\.name) == ["sub", "email"])
  }

  @Test(arguments: ["", "[]", "{}", #"{"sub":""}"#, #"{"sub":"a\u001bb"}"#, #"{"sub":"a","sub":"b"}"#])
  func `user information that says nobody signs nobody in`(told: String) async throws {
    await #expect(throws: IssuerError.self) { try await verify(told).get() }
  }

  @Test func `an issuer that says nothing now is asked later`() async throws {
    guard case .failure(.temporary) = try await verify("", status: 503) else {
      Issue.record("it is not temporary")
      return
    }
  }

  @Test func `without both nobody has signed in`() async throws {
    let tokens = try fake.tokens(access: "opaque")
    await #expect(throws: IssuerError.self) { try await fake.openID().verify(tokens, Self.nobodyExpected) }
  }

  @Test func `a code's sign-in has its ID token, whatever else is there`() async throws {
    publish("userinfo_endpoint", Self.userInfo)
    fake.publish(Self.userInfo, #"{"sub":"p7"}"#)
    let tokens = try fake.tokens(access: "opaque")
    let expectation = TokenExpectation(nonce: try box("n1"), subject: nil)
    await #expect(throws: IssuerError.self) { try await fake.openID().verify(tokens, expectation) }
    #expect(fake.fetches(Self.userInfo) == 0)
  }

  @Test func `an OAuth server says who it is at a sign-in by device as at one by code`() async throws {
    let endpoints: [ServerEndpoint: String] = [
      .authorization: FakeIssuer.origin + "/a", .token: FakeIssuer.origin + "/t", .userInfo: Self.userInfo,
    ]
    fake.publish(Self.userInfo, #"{"sub":"p7"}"#)
    let issuer = try fake.oauth(writtenOut(endpoints))
    let tokens = try fake.tokens(access: "opaque")
    #expect(try await issuer.verify(tokens, Self.nobodyExpected).subject == "p7")
  }
}
