import Exchange
import Issuers
import JOSE
import JSON
import Secrets
import Synchronization
import Time
import Vault

/// An issuer in memory: it signs tokens, answers fetches from a table, and counts them.
final class FakeIssuer: Sendable {
  static let origin = "https://acme.auth.didit.me"
  static let keysURL = origin + "/.well-known/jwks.json"
  static let metadataURL = origin + "/.well-known/openid-configuration"

  private struct State {
    var documents: [String: (status: Int, body: String)] = [:]
    var counts: [String: Int] = [:]
    /// The requests that had a body or a token, as they came.
    var requests: [OutgoingRequest] = []
    var failure: CarrierError?
    /// Told with answers as `DPoP-Nonce`.
    var nonces: [String] = []
  }

  let key: SigningKey
  let clock = ManualClock(wall: WallInstant(seconds: 1_000_000))
  /// Seconds that the issuer's wall clock is ahead of ours.
  private let skew: Int64
  private let state = Mutex(State())

  init(skew: Int64 = 0) throws {
    key = try SigningKey.generateES256()
    self.skew = skew
    try publish(keys: [key])
    publish(Self.metadataURL, Self.metadata)
  }

  static let metadata = """
    {"issuer":"\(origin)","authorization_endpoint":"\(origin)/authorize","token_endpoint":"\(origin)/token",
    "jwks_uri":"\(keysURL)","revocation_endpoint":"\(origin)/revoke",
    "authorization_response_iss_parameter_supported":true}
    """

  func publish(_ url: String, _ body: String, status: Int = 200) {
    state.withLock { $0.documents[url] = (status, body) }
  }

  func publish(keys: [SigningKey]) throws {
    let keys = try keys.map { try Self.json($0.publicJWK) }.joined(separator: ",")
    publish(Self.keysURL, #"{"keys":[\#(keys)]}"#)
  }

  /// What answers tell as `DPoP-Nonce`, one after the other; the last one again and again.
  func tell(nonces: String...) { state.withLock { $0.nonces = nonces } }

  /// From now on nothing can be fetched.
  func fail(_ error: CarrierError?) { state.withLock { $0.failure = error } }

  var requests: [OutgoingRequest] { state.withLock { $0.requests } }

  func fetches(_ url: String) -> Int { state.withLock { $0.counts[url] ?? 0 } }

  var fetch: Fetch {
    { request async throws(CarrierError) in
      let (failure, document) = self.state.withLock { state in
        state.counts[request.url, default: 0] += 1
        if request.body != nil || request.bearer != nil { state.requests.append(request) }
        return (state.failure, state.documents[request.url])
      }
      if let failure { throw failure }
      do { return try self.answer(document?.status ?? 404, document?.body ?? "") } catch { throw .unknown("memory") }
    }
  }

  func answer(
    _ status: Int, _ body: String, retryAfter: Int64? = nil, isTruncated: Bool = false
  ) throws -> HTTPAnswer {
    let nonce = state.withLock { $0.nonces.count > 1 ? $0.nonces.removeFirst() : $0.nonces.first }
    return HTTPAnswer(
      status: status, date: WallInstant(seconds: clock.wall.seconds + skew), retryAfter: retryAfter, dpopNonce: nonce,
      contentType: "application/json", body: try box(body), isTruncated: isTruncated, receivedAt: clock.now,
      receivedBoot: clock.bootID, receivedWall: clock.wall)
  }

  /// A token signed now by the issuer's clock; `changes` replace claims, null removes one.
  func token(
    _ type: String?, _ changes: [String: JSONValue] = [:], key other: SigningKey? = nil
  ) throws -> String {
    let now = clock.wall.seconds + skew
    var claims: [String: JSONValue] = [
      "iss": .string(Self.origin), "aud": .string("app"), "sub": .string("p1"), "iat": .integer(now),
      "exp": .integer(now + 300),
    ]
    for (name, value) in changes { claims[name] = value == .null ? nil : value }
    var object = JSONObject()
    for (name, value) in claims.sorted(by: { $0.key < $1.key }) { object.append(name, value) }
    var header = JSONObject()
    if let type { header.append("typ", .string(type)) }
    return try text(SecretBox((other ?? key).sign(header: header, claims: object)))
  }

  func tokens(access: String, id: String? = nil, refresh: String? = "r1") throws -> TokenSet {
    TokenSet(
      accessToken: try box(access), refreshToken: try refresh.map(box), idToken: try id.map(box), tokenType: "Bearer",
      scope: nil, lifetime: .seconds(300), receivedAt: clock.now, receivedBoot: clock.bootID,
      receivedWall: clock.wall)
  }

  /// What adapters work with here. The one secret file that there is is `/secret`.
  var services: IssuerServices {
    IssuerServices(fetch: fetch, clock: clock) { (path) async throws(IssuerError) in
      guard path == "/secret" else { throw .configuration("client-secret-file is not there") }
      do { return try box("s3cret %") } catch { throw .temporary("memory") }
    }
  }

  func didit(clientID: String? = "app") throws -> DiditIssuer {
    try DiditIssuer(profile("didit", clientID: clientID), fetch: fetch, clock: clock)
  }

  func openID(_ rotation: RotationPolicy = .unknown, options: IssuerOptions = IssuerOptions()) throws -> OpenIDIssuer {
    try OpenIDIssuer(profile("openid", rotation: rotation, options: options), services)
  }

  func oauth(_ options: IssuerOptions = IssuerOptions()) throws -> OAuthIssuer {
    try OAuthIssuer(profile("oauth", rotation: .unknown, options: options), services)
  }

  private static func json(_ object: JSONObject) throws -> String {
    var writer = JSONWriter()
    writer.value(.object(object))
    var buffer = writer.finish()
    return text(SecretBox(try buffer.takeSecret()))
  }
}

func profile(
  _ kind: String, identifier: String = FakeIssuer.origin, clientID: String? = "app",
  environment: IssuerProfile.Environment = .live, rotation: RotationPolicy = .didit, plainLoopback: Bool = false,
  options: IssuerOptions = IssuerOptions()
) -> IssuerProfile {
  IssuerProfile(
    name: "acme", kind: kind, identifier: identifier, environment: environment, clientID: clientID,
    egress: EgressPolicy(plainLoopback: plainLoopback), rotation: rotation, options: options)
}

func attempt(
  redirect: String = "https://app.example/cb", scopes: [String] = [], locales: [String] = [],
  challenge: AuthenticationChallenge? = nil, dpopKey: SecretBox? = nil
) throws -> AuthorizationAttempt {
  AuthorizationAttempt(
    redirectURI: redirect, state: try box("st"), verifier: try box("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    nonce: try box("n1"), scopes: scopes, locales: locales,
    challenge: challenge, dpopKey: dpopKey)
}

/// A secret made from text, for tests.
func box(_ text: String) throws -> SecretBox {
  SecretBox(unsafe try SecretBytes(copying: Array(text.utf8).span.bytes))
}

/// A secret as text, for tests.
func text(_ box: SecretBox) -> String { unsafe box.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }

/// What a check failed with, or nil when it passed.
func refusal(_ body: () async throws(IssuerError) -> VerifiedIdentity) async -> IssuerError? {
  do throws(IssuerError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

extension IssuerError {
  var isRefusal: Bool {
    switch self {
    case .refused: true
    case .temporary, .configuration: false
    }
  }
}

/// ``Vault/Expectation``, under a name that the testing library does not have too.
typealias TokenExpectation = Expectation
