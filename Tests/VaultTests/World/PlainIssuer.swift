import Exchange
import Secrets
import Synchronization
import Time
import Vault

/// An issuer whose answers are words: `ok N LIFETIME [SCOPE…]` grants tokens `at-N` and `rt-N`, `bare N 0` only `rt-N`,
/// `odd N LIFETIME` with a scope that is none, `free N LIFETIME` such as are bound to no key; anything else is unknown.
final class PlainIssuer: Issuer {
  let profile: IssuerProfile
  let verdict = Mutex(IssuerError?.none)
  /// What each refresh was narrowed to.
  let narrowings = Mutex([Narrowing?]())
  /// Whether what has to be fetched before a refresh never comes.
  let isHanging = Mutex(false)
  /// How many refreshes wait for it.
  let hung = Mutex(0)
  /// Whether checks of tokens take until this is set back, as they do when keys have to be fetched.
  let isChecking = Mutex(false)

  /// Whether there is a browser's session to be ended.
  let hasLogout = Mutex(false)
  /// Whether the client asks to end a session by its own name, without the access token.
  let endsByName = Mutex(false)

  /// Whether tokens can be taken back.
  let hasRevocation = Mutex(true)

  /// Whether a session is ended by two requests, one after the other.
  let hasTwoEndings = Mutex(false)

  /// How many proofs were made.
  let proofs = Mutex(0)

  init(_ profile: IssuerProfile) { self.profile = profile }

  func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String { "https://issuer.test/" }
  func promisesIssuerParameter() async throws(IssuerError) -> Bool { false }

  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/token/", body: code, egress: profile.egress)
  }

  func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    if isHanging.withLock({ $0 }) {
      hung.withLock { $0 += 1 }
      await hangUntilCancelled()
    }
    narrowings.withLock { $0.append(narrowing) }
    return OutgoingRequest(.post, "https://issuer.test/token/", body: refreshToken, egress: profile.egress)
  }

  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    switch answer.status {
    case 400: return .dead("invalid_grant")
    case 401: return .challenged("a nonce is wanted", hasNonce: text(answer.body) != "none")
    case 404: return .misconfigured("not found")
    case 429: return .declined("too many requests", retryAfter: answer.retryAfter)
    case 503: return .unknown("busy", retryAfter: answer.retryAfter)
    default: break
    }
    let words = (text(answer.body) ?? "").split(separator: " ")
    guard words.count >= 3, ["ok", "bare", "odd", "free"].contains(words[0]), let lifetime = Int(words[2]) else {
      return .unknown("not understood", retryAfter: nil)
    }
    let scope = words.count > 3 ? words[3...].joined(separator: " ") : previous?.scope
    var tokens = TokenSet(
      accessToken: secret(words[0] == "bare" ? "" : "at-\(words[1])"), refreshToken: secret("rt-\(words[1])"),
      idToken: nil, tokenType: words[0] == "free" ? "Bearer" : previous?.tokenType ?? "Bearer", scope: scope,
      lifetime: .seconds(lifetime), receivedAt: answer.receivedAt, receivedBoot: answer.receivedBoot,
      receivedWall: answer.receivedWall)
    tokens.isScopeUnreadable = words[0] == "odd"
    return .granted(tokens)
  }

  func verify(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity {
    while isChecking.withLock({ $0 }) { await Task.yield() }
    if let verdict = verdict.withLock({ $0 }) { throw verdict }
    if tokens.accessToken.count == 0 { throw .refused("no access token") }
    return VerifiedIdentity(issuer: profile.identifier, subject: expectation.subject ?? "ada", claims: [])
  }

  func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? {
    OutgoingRequest(.get, "https://issuer.test/session/", bearer: accessToken, egress: profile.egress)
  }

  func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    let bearer = endsByName.withLock { $0 } ? nil : tokens.accessToken
    guard hasRevocation.withLock({ $0 }) else { return [] }
    let ending = OutgoingRequest(.delete, "https://issuer.test/session/", bearer: bearer, egress: profile.egress)
    return hasTwoEndings.withLock { $0 } ? [ending, ending] : [ending]
  }

  func logoutRequest(_ tokens: TokenSet) async throws(IssuerError) -> OutgoingRequest? {
    guard hasLogout.withLock({ $0 }) else { return nil }
    return OutgoingRequest(.post, "https://issuer.test/logout", body: tokens.accessToken, egress: profile.egress)
  }
}
