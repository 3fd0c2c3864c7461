package import EventLoop
import Exchange
import OAuth
package import Secrets
import Sodium
package import Time
package import Vault

/// Where sign-ins are begun and browsers come back to. At most one attempt waits for each account.
package actor SignInDesk {
  /// How long a person has, from the browser's opening to its coming back.
  package static let life = Duration.seconds(600)

  /// What the caller needs to go on.
  package struct Opened: Sendable {
    package let attempt: String
    /// The authorization URL, for the caller's own browser; nil for a caller that joined somebody else's attempt.
    package let url: String?
    package let account: String
    package let issuer: String
    package let flow: SignInFlow
    /// Whether the attempt is this caller's to keep alive: it ends when the last of them gives it up.
    package let isHolder: Bool
    /// What a person needs for the device authorization grant; whoever joins gets it too.
    package var device: DevicePrompt?
  }

  /// What the caller says of the way back.
  package struct Way: Sendable {
    /// What was asked for; nil: to be chosen.
    package let flow: SignInFlow?
    /// Nil: not known.
    package let browser: BrowserPlace?

    package init(flow: SignInFlow?, browser: BrowserPlace?) {
      self.flow = flow
      self.browser = browser
    }
  }

  struct Open {
    var attempt: Attempt
    let flow: SignInFlow
    var listener: (any CallbackListening)?
    var timer: Task<Void, Never>?
    /// The polling of a device authorization grant.
    var device: DeviceAttempt?
    /// Callers that keep it alive.
    var holders = 1
    var waiters: [UInt64: CheckedContinuation<Result<SignInResult, VaultError>, Never>] = [:]
    var outcome: Result<SignInResult, VaultError>?
  }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  nonisolated let loop: EventLoop
  let vault: Vault
  let clock: any Clock
  private let makeListener: @Sendable (ListenRequest) async throws(VaultError) -> any CallbackListening
  var open: [String: Open] = [:]
  /// The latest ends, oldest first: a browser may be back before the caller waits for it.
  private var ended: [(id: String, outcome: Result<SignInResult, VaultError>)] = []
  private var lastTicket: UInt64 = 0
  /// The listeners of attempts that are over, as long as their last page may still be fetched.
  private var lingering: [String: any CallbackListening] = [:]
  /// Names of accounts whose attempt is being opened just now.
  private var opening: Set<String> = []

  /// Ends that are remembered.
  static let maximumEnded = 8

  package init(
    vault: Vault, loop: EventLoop, clock: any Clock,
    makeListener: @escaping @Sendable (ListenRequest) async throws(VaultError) -> any CallbackListening
  ) {
    self.vault = vault
    self.loop = loop
    self.clock = clock
    self.makeListener = makeListener
  }

  // MARK: Beginning

  /// Opens an attempt: the listener waits and the tokens' place is proven before a URL is given out.
  ///
  /// Without a loopback listener the redirected URL comes by ``complete(_:redirectedURL:)``.
  package func begin(_ plan: SignInPlan, _ way: Way) async throws(VaultError) -> Opened {
    if let joined = joinable(plan) { return joined }
    if let name = plan.name {
      guard opening.insert(name).inserted else {
        throw .temporary(account: name, message: "a sign-in to this account is just being opened", retryAfter: 1)
      }
    }
    defer { if let name = plan.name { opening.remove(name) } }
    let redirect = try Self.redirect(plan.redirectURI)
    var flow = try Self.flow(redirect, way, offersDeviceGrant: try await offersDeviceGrant(plan, way))
    if flow == .device {
      if let opened = try await openDevice(plan.byDevice, isAsked: way.flow != nil) { return opened }
      // The issuer has the grant, but not for this client: what was only chosen gives way.
      flow = try Self.flow(redirect, way, offersDeviceGrant: false)
    }
    var listener: (any CallbackListening)?
    var bound = redirect
    if flow == .loopback {
      let listening = try await listen(redirect)
      bound = try Self.bound(redirect, port: listening.port)
      listener = listening
    }
    do throws(VaultError) {
      return try await open(plan.with(redirectURI: bound.text), flow, listener)
    } catch {
      listener?.close()
      throw error
    }
  }

  private func joinable(_ plan: SignInPlan) -> Opened? {
    guard let name = plan.name,
      let (id, other) = open.first(where: { $0.value.isJoinable && $0.value.attempt.draft.account.name == name })
    else { return nil }
    if let shared = joinDevice(id) { return shared }
    return Opened(
      attempt: id, url: nil, account: name, issuer: other.attempt.draft.account.issuer.identifier, flow: other.flow,
      isHolder: false)
  }

  private func listen(_ redirect: RedirectURI) async throws(VaultError) -> any CallbackListening {
    guard case .loopback(let host, let port) = redirect.destination else {
      throw .badRequest(field: "flow", message: "\(FlowChoice.Refusal.notLoopback)")
    }
    if let port {
      for listener in lingering.values where Int(listener.port) == port { await listener.giveWay() }
    }
    return try await makeListener(
      ListenRequest(
        authority: port.map { "\(host):\($0)" } ?? host, path: redirect.path, anyPort: port == nil, life: Self.life))
  }

  private func open(
    _ plan: SignInPlan, _ flow: SignInFlow, _ listener: (any CallbackListening)?
  ) async throws(VaultError) -> Opened {
    let draft = try await vault.prepareSignIn(plan)
    let url: String
    let promises: Bool
    do {
      url = try await draft.issuer.authorizationURL(draft.attempt)
      promises = try await draft.issuer.promisesIssuerParameter()
    } catch {
      await vault.abandon(draft)
      throw Self.error(error, account: draft.account.name)
    }
    let id = Hexadecimal.encode(Random.bytes(16))
    open[id] = Open(attempt: Attempt(draft: draft, promisesIssuer: promises), flow: flow, listener: listener)
    open[id]?.timer = Task(executorPreference: loop) { await self.expire(id) }
    if let listener { Task(executorPreference: loop) { await self.serve(listener, id) } }
    return Opened(
      attempt: id, url: url, account: draft.account.name, issuer: draft.account.issuer.identifier, flow: flow,
      isHolder: true)
  }

  private func expire(_ id: String) async {
    do { try await clock.sleep(until: clock.now + Self.life) } catch { return }
    await end(id, .failure(.signInFailed(.timeout, message: "nobody came back from the browser within 10 minutes")))
  }

  // MARK: Coming back

  private func serve(_ listener: any CallbackListening, _ id: String) async {
    while let query = await listener.nextQuery() {
      let verdict: CallbackFrame.Verdict
      do {
        verdict = await respond(id, try AuthorizationResponse(query: query)).verdict
      } catch {
        verdict = .rejected
      }
      listener.send(verdict)
      if verdict != .rejected { return }
    }
    // A listener that died, and was not closed by us, cannot bring anybody back any more.
    guard open[id]?.outcome == nil, case .waiting = open[id]?.attempt.phase else { return }
    await end(id, .failure(.signInFailed(.refused, message: "the loopback listener ended; start again")))
  }

  /// Takes the URL that the browser was redirected to. What does not belong to an attempt changes nothing.
  ///
  /// Without a name it is for the attempt whose `state` it has: the handler of `almoner:` knows no other.
  package func complete(_ name: String?, redirectedURL: SecretBox) async throws(VaultError) {
    if let name, !isWaiting(name) {
      throw .badRequest(field: "attempt", message: "no sign-in waits under this name; start again")
    }
    let redirected: RedirectedResponse
    do throws(AuthorizationResponseError) {
      redirected = try RedirectedResponse(redirectedURL)
    } catch {
      throw .badRequest(field: "redirectedUrl", message: "\(error)")
    }
    guard let id = name ?? waiting(for: redirected.response), let draft = open[id]?.attempt.draft else {
      rejected(nil, "no sign-in waits for the response")
      throw .badRequest(field: "redirectedUrl", message: "no sign-in waits for this address; start again")
    }
    let redirect = try Self.redirect(draft.attempt.redirectURI)
    guard redirected.leads(to: redirect) else {
      let error = AuthorizationResponseError.otherDestination
      throw .badRequest(field: "redirectedUrl", message: "\(error)")
    }
    let response = redirected.response
    switch await respond(id, response) {
    case .reject(let why): throw .badRequest(field: "redirectedUrl", message: why)
    case .mixUp: throw .badRequest(field: "redirectedUrl", message: "\(AuthorizationResponseError.otherIssuer)")
    case .tooLate: throw .badRequest(field: "attempt", message: "this sign-in took a code before")
    case .redeem, .end: return
    }
  }

  private func isWaiting(_ id: String) -> Bool { open[id].map { $0.outcome == nil } ?? false }

  /// The attempt that a response answers; each is compared in constant time.
  private func waiting(for response: AuthorizationResponse) -> String? {
    let answered = open.filter { isWaiting($0.key) && response.answers($0.value.attempt.draft.attempt.state) }
    return answered.keys.first
  }

  private func respond(_ id: String, _ response: AuthorizationResponse) async -> Attempt.ResponseAction {
    guard let action = open[id]?.attempt.responded(response) else { return .tooLate }
    switch action {
    case .redeem(let code):
      guard let draft = open[id]?.attempt.draft else { return .tooLate }
      Task(executorPreference: loop) { await self.redeem(id, draft, code) }
    case .end(let failure, let message):
      Task(executorPreference: loop) { await self.end(id, .failure(.signInFailed(failure, message: message))) }
    case .reject(let why): rejected(id, why)
    case .mixUp(let name): await mixedUp(id, name)
    case .tooLate: break
    }
    return action
  }

  private func rejected(_ id: String?, _ why: String) {
    let id = id ?? ""
    vault.hub.publish(VaultEvent(.callbackRejected, account: open[id]?.attempt.draft.account.name, detail: why))
  }

  /// Tells of a mix-up, with both names. What the response says is repeated only if it is the name of an issuer that
  /// somebody signed in at, or is about to: anybody can write a response.
  private func mixedUp(_ id: String, _ name: String) async {
    guard let issuer = open[id]?.attempt.draft.account.issuer.identifier else { return }
    let other = await vault.knows(issuer: name) ? name : "another issuer"
    rejected(id, "the response is of \(other), and this sign-in is at \(issuer)")
  }

  private func redeem(_ id: String, _ draft: SignInDraft, _ code: SecretBox) async {
    do throws(VaultError) {
      await end(id, .success(try await vault.redeem(draft, code: code)))
    } catch {
      await end(id, .failure(error))
    }
  }

  // MARK: Ending

  /// Waits for the attempt's end, or tells one that was among the latest.
  package func outcome(_ id: String) async throws(VaultError) -> SignInResult {
    lastTicket += 1
    let ticket = lastTicket
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<SignInResult, VaultError>, Never>) in
        if let outcome = open[id]?.outcome ?? ended.first(where: { $0.id == id })?.outcome {
          continuation.resume(returning: outcome)
        } else if open[id] == nil || Task.isCancelled {
          continuation.resume(returning: .failure(.signInFailed(.cancelled, message: "the sign-in is over")))
        } else {
          open[id]?.waiters[ticket] = continuation
        }
      }
    } onCancel: {
      Task(executorPreference: loop) { await self.leave(id, ticket) }
    }
    return try result.get()
  }

  private func leave(_ id: String, _ ticket: UInt64) {
    open[id]?.waiters.removeValue(forKey: ticket)?
      .resume(returning: .failure(.signInFailed(.cancelled, message: "the caller went away")))
  }

  /// Gives an attempt up, for one of those who hold it. It ends with the last of them; one whose code is being redeemed
  /// goes on to its end.
  package func cancel(_ opened: Opened) async {
    let id = opened.attempt
    guard opened.isHolder, let holders = open[id]?.holders else { return }
    open[id]?.holders = holders - 1
    guard holders == 1, case .waiting = open[id]?.attempt.phase else { return }
    if stopPolling(id) { return }
    await end(id, .failure(.signInFailed(.cancelled, message: "cancelled")))
  }

  func end(_ id: String, _ outcome: Result<SignInResult, VaultError>) async {
    guard var ended = open[id], ended.outcome == nil else { return }
    ended.attempt.end()
    ended.outcome = outcome
    open[id] = ended
    ended.timer?.cancel()
    if let listener = ended.listener { linger(listener, id) }
    if case .failure(let error) = outcome {
      ended.listener?.close()
      // What landed and could not be taken over now is kept for the next start; everything else leaves no trace.
      if error.leavesNothing { await vault.abandon(ended.attempt.draft) }
    }
    await vault.release(ended.attempt.draft)
    for waiter in open[id]?.waiters.values ?? [:].values { waiter.resume(returning: outcome) }
    open[id] = nil
    self.ended.append((id, outcome))
    if self.ended.count > Self.maximumEnded { self.ended.removeFirst() }
  }

  private func linger(_ listener: any CallbackListening, _ id: String) {
    lingering[id] = listener
    Task(executorPreference: loop) {
      await listener.gone()
      await self.stoppedLingering(id)
    }
  }

  private func stoppedLingering(_ id: String) { lingering[id] = nil }

  // MARK: Parts

  private static func redirect(_ text: String) throws(VaultError) -> RedirectURI {
    do {
      return try RedirectURI(text)
    } catch {
      throw .badRequest(field: "redirectUri", message: "\(error)")
    }
  }

  private static func flow(
    _ redirect: RedirectURI, _ way: Way, offersDeviceGrant: Bool
  ) throws(VaultError) -> SignInFlow {
    let choice = FlowChoice(redirect: redirect.destination, offersDeviceGrant: offersDeviceGrant)
    do throws(FlowChoice.Refusal) {
      return try choice.flow(asked: way.flow, browser: way.browser)
    } catch {
      throw .badRequest(field: "flow", message: "\(error)")
    }
  }

  private static func bound(_ redirect: RedirectURI, port: UInt16) throws(VaultError) -> RedirectURI {
    do {
      return try redirect.bound(toPort: Int(port))
    } catch {
      throw .badRequest(field: "redirectUri", message: "\(error)")
    }
  }

  private static func error(_ error: IssuerError, account: String?) -> VaultError {
    switch error {
    case .temporary(let what): .temporary(account: account, message: what, retryAfter: 5)
    case .configuration(let what): .misconfigured(account: account, message: what)
    case .refused(let what): .signInFailed(.refused, message: what)
    }
  }
}

extension SignInDesk.Open {
  /// Whether it still waits for a person.
  var isJoinable: Bool { outcome == nil && device?.isStopping != true }
}

extension Attempt.ResponseAction {
  fileprivate var verdict: CallbackFrame.Verdict {
    switch self {
    case .redeem: .accepted
    case .end: .denied
    case .reject, .mixUp: .rejected
    case .tooLate: .lost
    }
  }
}

extension VaultError {
  /// Whether a sign-in that ended so has no answer in the journal worth keeping.
  fileprivate var leavesNothing: Bool {
    switch self {
    case .signInFailed, .badRequest, .unsupported, .misconfigured, .denied, .unknownAccount, .signInRequired,
      .stepUpRequired, .stepUpFailed, .monitoringUnavailable:
      true
    case .temporary, .storage, .locked: false
    }
  }
}
