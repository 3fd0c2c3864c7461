import Exchange
import Secrets
import Synchronization
import Vault

/// An issuer whose answer `ok N LIFETIME` grants `at-N` and `rt-N`, and whose person a test chooses.
final class FirstIssuer: Issuer {
  struct State {
    var person = "ada"
    var promises = false
    var verdict: IssuerError?
    var address: IssuerError?
    var offersDeviceGrant = false
    /// Whether the last ID token had to repeat a nonce.
    var hadNonce = false
    var tokenType = "Bearer"
    /// Whether checks of tokens take until this is set back, and how many there were.
    var isChecking = false
    var checks = 0
    /// How many proofs were made.
    var proofs = 0
  }

  let profile: IssuerProfile
  let state: Mutex<State>

  init(_ profile: IssuerProfile, _ state: State = State()) {
    self.profile = profile
    self.state = Mutex(state)
  }

  func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    if let trouble = state.withLock({ $0.address }) { throw trouble }
    return "https://issuer.test/authorize?state=\(text(attempt.state))"
  }

  func promisesIssuerParameter() async throws(IssuerError) -> Bool { state.withLock { $0.promises } }

  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/token/", body: code, egress: profile.egress)
  }

  func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/token/", body: refreshToken, egress: profile.egress)
  }

  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    if answer.status == 401 { return .challenged("a nonce is wanted", hasNonce: true) }
    if answer.status == 429 { return .declined("too many requests", retryAfter: answer.retryAfter) }
    guard answer.status == 200 else { return .dead("invalid_grant") }
    // A device's poll is read by the RFC's rules first, so its answer is JSON.
    let body = text(answer.body)
    let words = (body.hasPrefix("{") ? "ok 1 300" : body).split(separator: " ")
    guard words.count == 3, let lifetime = Int(words[2]) else { return .unknown("not understood", retryAfter: nil) }
    return .granted(
      TokenSet(
        accessToken: secret("at-\(words[1])"), refreshToken: secret("rt-\(words[1])"), idToken: nil,
        tokenType: state.withLock { $0.tokenType }, scope: nil, lifetime: .seconds(lifetime),
        receivedAt: answer.receivedAt,
        receivedBoot: answer.receivedBoot, receivedWall: answer.receivedWall))
  }

  func verify(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity {
    let state = state.withLock { state in
      state.hadNonce = expectation.nonce != nil
      state.checks += 1
      return state
    }
    while self.state.withLock({ $0.isChecking }) { await Task.yield() }
    if let verdict = state.verdict { throw verdict }
    return VerifiedIdentity(issuer: profile.identifier, subject: state.person, claims: [])
  }

  func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { nil }

  func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    [OutgoingRequest(.delete, "https://issuer.test/session/", bearer: tokens.accessToken, egress: profile.egress)]
  }
}

extension FirstIssuer: DeviceGranting {
  func offersDeviceGrant() async throws(IssuerError) -> Bool { state.withLock { $0.offersDeviceGrant } }

  func deviceCodesRequest(scopes: [String]) async throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, CodeCarrier.deviceEndpoint, egress: profile.egress)
  }

  func deviceRequest(deviceCode: SecretBox) async throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/token/", body: deviceCode, egress: profile.egress)
  }
}
