import EventLoop
import Exchange
import Secrets
import SignIn
import Synchronization
import Time
import Vault

/// A desk over a vault with everything around it in memory.
final class Office: Sendable {
  let clock: ManualClock
  let shelf: Shelf
  let carrier: CodeCarrier
  let issuer: FirstIssuer
  let thread: LoopThread
  let vault: Vault
  let desk: SignInDesk
  let listeners: Listeners

  /// An office without accounts, or the next daemon over what `earlier` left.
  init(after earlier: Office? = nil) throws {
    let clock = earlier?.clock ?? ManualClock()
    let shelf = earlier?.shelf ?? Shelf()
    let carrier = CodeCarrier(shelf: shelf, clock: clock)
    let issuer = FirstIssuer(Self.profile, earlier?.issuer.state.withLock { $0 } ?? .init())
    let listeners = Listeners()
    thread = try LoopThread(name: "desk-test")
    let tools = SessionTools(
      clock: clock, carrier: carrier, journal: shelf, stores: [.secretService: shelf], directory: shelf,
      makeIssuer: { _ in issuer }, machine: "machine", user: 1000, executor: thread.loop)
    vault = Vault(shelf.index, tools: tools, forceInterval: .seconds(30))
    desk = SignInDesk(vault: vault, loop: thread.loop, clock: clock) { request throws(VaultError) in
      try listeners.listen(request)
    }
    (self.clock, self.shelf, self.carrier) = (clock, shelf, carrier)
    (self.issuer, self.listeners) = (issuer, listeners)
  }

  deinit { thread.stop() }

  static let profile = profile("https://issuer.test")

  static func profile(_ identifier: String) -> IssuerProfile {
    IssuerProfile(
      name: "test", kind: "openid", identifier: identifier, environment: .live, clientID: nil, egress: EgressPolicy(),
      rotation: .didit)
  }

  /// The same issuer, which is to bind tokens.
  static let binding: IssuerProfile = {
    var options = IssuerOptions()
    options.dpop = true
    return IssuerProfile(
      name: "test", kind: "openid", identifier: "https://issuer.test", environment: .live, clientID: nil,
      egress: EgressPolicy(), rotation: .didit, options: options)
  }()

  static let redirect = "http://localhost:4711/callback"

  var listener: ScriptedListener? { listeners.all.withLock { $0.last } }

  func begin(
    _ name: String? = "work", flow: SignInFlow? = nil, browser: BrowserPlace? = nil, redirect: String = redirect,
    at issuer: IssuerProfile = profile
  ) async throws(VaultError) -> SignInDesk.Opened {
    try await desk.begin(
      SignInPlan(
        name: name, issuer: issuer, backend: .secretService, redirectURI: redirect, scopes: [], locales: []),
      SignInDesk.Way(flow: flow, browser: browser))
  }

  /// A whole sign-in of this person; its tokens are `at-N` and `rt-N`.
  func signIn(_ person: String = "ada", as name: String? = "work", _ number: Int = 1) async throws -> SignInResult {
    issuer.state.withLock { $0.person = person }
    carrier.next(.land(200, "ok \(number) 300"))
    let opened = try await begin(name)
    let coming = Task { await self.listener?.come("code=code-\(number)&state=\(opened.state)") }
    defer { _ = coming }
    return try await desk.outcome(opened.attempt)
  }

  func token(_ name: String = "work") async throws(VaultError) -> String {
    let request = AccessRequest(deadline: clock.now + .seconds(30))
    return text(try await vault.accessToken(name, request).accessToken)
  }

  /// What `events` brought until now.
  func events(_ events: AsyncStream<VaultEvent>) async -> [VaultEvent] {
    vault.hub.closeAll()
    return await events.reduce(into: []) { $0.append($1) }
  }
}

/// Makes listeners, or says why not.
final class Listeners: Sendable {
  let all = Mutex([ScriptedListener]())
  let trouble = Mutex(VaultError?.none)

  func listen(_ request: ListenRequest) throws(VaultError) -> ScriptedListener {
    if let trouble = trouble.withLock({ $0 }) { throw trouble }
    let listener = ScriptedListener(request, port: 4711)
    all.withLock { $0.append(listener) }
    return listener
  }
}

extension SignInDesk.Opened {
  /// `state` of the authorization request.
  var state: String { url?.split(separator: "state=").last.map { String($0) } ?? "" }
}

/// A text as a secret.
func secret(_ text: String) -> SecretBox {
  do {
    return SecretBox(
      try unsafe SecretBytes(capacity: text.utf8.count) { room in
        unsafe room.copyBytes(from: Array(text.utf8))
        return text.utf8.count
      })
  } catch {
    preconditionFailure("the arena is full")
  }
}

/// What a test may look at in a secret it made itself.
func text(_ box: SecretBox?) -> String {
  guard let box else { return "" }
  return unsafe box.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}
