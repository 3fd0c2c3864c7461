import Exchange
import Issuers
import OAuth
import Secrets
import Testing
import Time
import Vault

/// Registration at an issuer (RFC 7591 §3).
struct ClientRegistrarTests {
  private static let endpoint = FakeIssuer.origin + "/register"
  private static let named = #"{"registration_endpoint":"\#(endpoint)","#
  private let fake: FakeIssuer
  private let registrar: ClientRegistrar

  init() throws {
    fake = try FakeIssuer()
    registrar = ClientRegistrar(fake.services)
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("{", with: Self.named))
    fake.publish(Self.endpoint, #"{"client_id":"new"}"#, status: 201)
  }

  private func plan(showsSecret: Bool = false, kind: String = "openid") -> RegistrationPlan {
    RegistrationPlan(
      group: "acme", issuer: profile(kind, clientID: nil),
      client: ClientMetadata(
        name: "Almoner", redirectURI: "http://127.0.0.1/callback", scopes: [], showsSecret: showsSecret),
      secretFile: showsSecret ? "/s" : nil)
  }

  private func refusal(_ plan: RegistrationPlan? = nil) async -> IssuerError? {
    do throws(IssuerError) {
      _ = try await registrar.register(plan ?? self.plan(), token: nil)
      return nil
    } catch {
      return error
    }
  }

  private var body: String { get throws { text(try #require(fake.requests.last?.body)) } }

  @Test func `the client's metadata is posted as JSON, with the initial access token if there is one`() async throws {
    let registered = try await registrar.register(plan(), token: box("initial"))
    #expect(registered.client.id == "new" && registered.asked == plan().client)
    let sent = try #require(fake.requests.last)
    #expect(sent.method == .post && sent.url == Self.endpoint && sent.contentType == .json)
    #expect(sent.bearer.map(text) == "initial")
    #expect(try text(try #require(sent.body)) == text(plan().client.body()))
    _ = try await registrar.register(plan(), token: nil)
    #expect(fake.requests.last?.bearer == nil && fake.fetches(Self.endpoint) == 2)
  }

  @Test func `the device grant is asked for where the issuer has it`() async throws {
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing(
        "{", with: Self.named + #""grant_types_supported":["\#(ClientMetadata.deviceCode)"],"#))
    let registered = try await registrar.register(plan(), token: nil)
    #expect(registered.asked.grantTypes == ["authorization_code", "refresh_token", ClientMetadata.deviceCode])
    #expect(try body.contains("device_code"))
  }

  @Test func `an issuer that takes no client with the device grant is asked once more without it`() async throws {
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing(
        "{", with: Self.named + #""grant_types_supported":["\#(ClientMetadata.deviceCode)"],"#))
    fake.publish(Self.endpoint, #"{"error":"invalid_client_metadata"}"#, status: 400)
    guard case .refused? = await refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(try !body.contains("device_code"))
    #expect(fake.fetches(Self.endpoint) == 2)
  }

  @Test(arguments: [
    ("", "client_secret_basic"),
    (#""token_endpoint_auth_methods_supported":["client_secret_post"],"#, "client_secret_post"),
  ])
  func `a client with a secret shows it as the issuer likes it`(metadata: String, method: String) async throws {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata.replacing("{", with: Self.named + metadata))
    _ = try await registrar.register(plan(showsSecret: true), token: nil)
    #expect(try body.contains(#""token_endpoint_auth_method":"\#(method)""#))
    _ = try await registrar.register(plan(), token: nil)
    #expect(try body.contains(#""token_endpoint_auth_method":"none""#))
  }

  @Test func `an OAuth server's endpoint is found by its own metadata`() async throws {
    fake.publish(FakeIssuer.metadataURL, "", status: 404)
    fake.publish(
      FakeIssuer.origin + "/.well-known/oauth-authorization-server",
      FakeIssuer.metadata.replacing("{", with: Self.named))
    #expect(try await registrar.register(plan(kind: "oauth"), token: nil).client.id == "new")
    #expect(fake.fetches(FakeIssuer.metadataURL) == 0)
  }

  @Test func `an issuer without the endpoint is said to register nobody by itself`() async {
    fake.publish(FakeIssuer.metadataURL, FakeIssuer.metadata)
    #expect(
      await refusal()
        == .configuration(
          "clients are registered by hand at this issuer: its metadata has no registration_endpoint"))
  }

  @Test(arguments: [
    FakeIssuer.metadata.replacing("{", with: #"{"registration_endpoint":"http://acme.auth.didit.me/register","#),
    FakeIssuer.metadata.replacing("{", with: named).replacing(
      #""issuer":"\#(FakeIssuer.origin)""#, with: #""issuer":"\#(FakeIssuer.origin)/""#),
  ])
  func `an endpoint in plain text, or of another issuer's metadata, is not asked`(metadata: String) async {
    fake.publish(FakeIssuer.metadataURL, metadata)
    guard case .configuration? = await refusal() else {
      Issue.record("not a mistake of the configuration")
      return
    }
    #expect(fake.fetches(Self.endpoint) == 0)
  }

  @Test func `a lost answer is not asked for again, and that a client may be there is said`() async {
    let lossy = ClientRegistrar(
      IssuerServices(
        fetch: { [fake] request async throws(CarrierError) in
          guard request.url == Self.endpoint else { return try await fake.fetch(request) }
          _ = try await fake.fetch(request)
          throw .unknown("closed")
        }, clock: fake.clock, readSecret: { _ throws(IssuerError) in throw .configuration("none") }))
    do throws(IssuerError) {
      _ = try await lossy.register(plan(), token: nil)
      Issue.record("registered")
    } catch {
      #expect(error == .temporary("the issuer's answer is lost, and with it whether a client was registered: closed"))
    }
    #expect(fake.fetches(Self.endpoint) == 1)
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_redirect_uri"}"#, "refused"), (403, "", "refused"), (404, "", "configuration"),
    (302, "", "configuration"), (201, "<html>", "configuration"), (503, "", "temporary"),
  ])
  func `each answer is told as what it is`(status: Int, body: String, kind: String) async {
    fake.publish(Self.endpoint, body, status: status)
    let error = await refusal()
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix(kind) && fake.fetches(Self.endpoint) == 1)
  }

  @Test func `at most so many a minute, whoever asks`() async throws {
    for _ in 0..<ClientRegistrar.perMinute { _ = try await registrar.register(plan(), token: nil) }
    #expect(await refusal() == .temporary("too many clients were registered just now"))
    fake.clock.advance(by: .seconds(60))
    #expect(await refusal() == nil)
  }
}
