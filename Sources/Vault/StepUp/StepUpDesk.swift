import Exchange
import Secrets
package import Time

/// Where step-ups are begun and watched. Each belongs to the one who asked, and to the session it was asked in.
///
/// Nothing is asked of the issuer for a caller that has gone, and nothing is acted on but the issuer's own answer: what a
/// browser brings back is a hint that nobody reads.
package actor StepUpDesk {
  /// Step-ups under way at once, of all accounts.
  package static let maximumOpen = 16

  /// A step-up that waits for the person.
  package struct Opened: Sendable {
    package let account: Account
    package let id: String
    /// The page for the caller's own browser.
    package let url: String
    fileprivate let began: BootInstant
  }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe tools.executor.asUnownedSerialExecutor() }
  private nonisolated let tools: SessionTools
  private let vault: Vault
  private var lastTicket: UInt64 = 0
  /// The pauses of those who wait, each with the account whose session it hangs on.
  private var pauses: [UInt64: (account: AccountID, pause: Task<Void, Never>)] = [:]
  private var open = 0
  /// Those that ask the issuer whether anything is needed.
  private var beginning = 0
  /// Told of what happens to sessions, while anybody waits.
  private var watch: Task<Void, Never>?

  package init(vault: Vault) {
    self.vault = vault
    tools = vault.tools
  }

  // MARK: Beginning

  /// Asks the issuer whether the action needs proof; nil when it does not.
  package func begin(
    _ selector: String?, _ wish: StepUpWish, deadline: BootInstant
  ) async throws(VaultError) -> (account: Account, opened: Opened?) {
    let account = try await vault.account(selector)
    guard open + beginning < Self.maximumOpen else { throw Self.tooMany(account) }
    beginning += 1
    defer { beginning -= 1 }
    let resource = try resource(account)
    let answer = try await ask(account, resource, wish, deadline: deadline)
    guard case .required(let id, let url) = answer else { return (account, nil) }
    return (account, Opened(account: account, id: id, url: url, began: tools.clock.now))
  }

  private static func tooMany(_ account: Account) -> VaultError {
    .temporary(account: account.name, message: "too many step-ups are under way", retryAfter: 30)
  }

  /// The answer, which is that nothing is needed or where to go. A token that was refused is replaced once: the request
  /// did nothing.
  private func ask(
    _ account: Account, _ resource: any StepUpResource, _ wish: StepUpWish, deadline: BootInstant
  ) async throws(VaultError) -> StepUpAnswer {
    var mayReplace = true
    while true {
      let grant = try await token(account, deadline: deadline)
      let answer: StepUpAnswer
      do {
        let request = try resource.stepUpRequest(wish, accessToken: grant.accessToken)
        answer = resource.readStepUp(try await tools.carrier.exchange(request))
      } catch let error as CarrierError {
        throw .temporary(account: account.name, message: error.text, retryAfter: 5)
      } catch {
        throw .temporary(account: account.name, message: "the step-up could not be asked for", retryAfter: 5)
      }
      switch answer {
      case .notRequired, .required: return answer
      case .unauthorized:
        guard mayReplace else {
          throw .temporary(account: account.name, message: "the issuer refused the token", retryAfter: 5)
        }
        mayReplace = false
        try await vault.replaceRejected(grant, account, deadline: deadline)
      case .later(let why, let retryAfter):
        throw .temporary(account: account.name, message: why, retryAfter: Self.seconds(retryAfter))
      case .refused(let why): throw .denied(account: account.name, message: why)
      case .misconfigured(let why): throw .misconfigured(account: account.name, message: why)
      }
    }
  }

  // MARK: Waiting

  /// Returns when the issuer has approved it, and throws how else it ended. Ends when the caller's task is cancelled.
  package func outcome(of opened: Opened) async throws(VaultError) {
    // Many may have begun together.
    guard open < Self.maximumOpen else { throw Self.tooMany(opened.account) }
    open += 1
    startWatching()
    defer {
      open -= 1
      if open == 0 { stopWatching() }
    }
    let resource = try resource(opened.account)
    var patience = StepUpPatience(began: opened.began)
    var retryAfter: Int64?
    while let due = patience.next(at: tools.clock.now, retryAfter: retryAfter) {
      await pause(until: due, for: opened.account.id)
      retryAfter = nil
      guard !Task.isCancelled else { throw Self.callerLeft(opened.account) }
      switch try await look(opened, resource, &patience) {
      case .pending, .unauthorized: continue
      case .approved: return
      case .failed(let failure): throw Self.error(failure, opened.account)
      case .gone: throw Self.error(.sessionEnded, opened.account)
      case .later(_, let wish): retryAfter = wish
      }
    }
    throw Self.error(.expired, opened.account)
  }

  /// One look, with the session's token as it is now.
  private func look(
    _ opened: Opened, _ resource: any StepUpResource, _ patience: inout StepUpPatience
  ) async throws(VaultError) -> StepUpStatus {
    try await requireSession(opened.account)
    let deadline = min(patience.end, tools.clock.now + .seconds(30))
    let grant: AccessGrant
    do throws(VaultError) { grant = try await token(opened.account, deadline: deadline) } catch {
      // The session may have ended since it was looked for, and then that is the reason.
      try await requireSession(opened.account)
      // Offline, or the issuer is busy: what is pending there stays so.
      guard case .temporary(_, let why, let seconds) = error else { throw error }
      return .later(why, retryAfter: Int64(seconds))
    }
    let status: StepUpStatus
    do {
      let request = resource.stepUpStatusRequest(opened.id, accessToken: grant.accessToken)
      status = resource.readStepUpStatus(try await tools.carrier.exchange(request))
    } catch {
      return .later("the issuer could not be asked", retryAfter: nil)
    }
    // It may have ended while the answer was on its way, and then the answer is nobody's any more.
    try await requireSession(opened.account)
    guard status == .unauthorized else {
      patience.answered()
      return status
    }
    guard patience.refused() else { throw Self.error(.sessionEnded, opened.account) }
    try await vault.replaceRejected(grant, opened.account, deadline: deadline)
    return status
  }

  /// A sign-in anew makes another account of the same name, so its id is the session.
  private func requireSession(_ account: Account) async throws(VaultError) {
    if vault.refusesCallers { throw .locked(account: account.name) }
    do throws(VaultError) {
      if try await vault.account(account.id.text).id == account.id { return }
    } catch {}
    throw Self.error(.sessionEnded, account)
  }

  private func pause(until instant: BootInstant, for account: AccountID) async {
    lastTicket += 1
    let ticket = lastTicket
    let clock = tools.clock
    let pause = Task(executorPreference: tools.executor) {
      do { try await clock.sleep(until: instant) } catch {}
    }
    pauses[ticket] = (account, pause)
    await withTaskCancellationHandler {
      await pause.value
    } onCancel: {
      pause.cancel()
    }
    pauses[ticket] = nil
  }

  // MARK: The end of a session

  /// Who waits learns of the end of its session at once, not at the next look.
  private func startWatching() {
    guard watch == nil else { return }
    let events = vault.hub.watch()
    watch = Task(executorPreference: tools.executor) {
      for await event in events {
        switch event.kind {
        case .signedIn, .signedOut, .locked: await self.review()
        case _: continue
        }
      }
      // The daemon is stopping.
      await self.wakeAll()
    }
  }

  private func stopWatching() {
    watch?.cancel()
    watch = nil
  }

  private func review() async {
    let known = Set(await vault.accounts.map(\.id))
    for (account, pause) in pauses.values where vault.refusesCallers || !known.contains(account) { pause.cancel() }
  }

  private func wakeAll() { for waiting in pauses.values { waiting.pause.cancel() } }

  // MARK: Parts

  private func resource(_ account: Account) throws(VaultError) -> any StepUpResource {
    let issuer: any Issuer
    do { issuer = try tools.makeIssuer(account.issuer) } catch {
      throw .misconfigured(account: account.name, message: "the issuer cannot be spoken to")
    }
    guard let resource = issuer as? any StepUpResource else {
      throw .unsupported(
        account: account.name, message: "this issuer has no step-up of its own; ask for acr_values or max_age instead")
    }
    return resource
  }

  private func token(_ account: Account, deadline: BootInstant) async throws(VaultError) -> AccessGrant {
    try await vault.accessToken(account.id.text, AccessRequest(deadline: deadline))
  }

  private static func error(_ failure: StepUpFailure, _ account: Account) -> VaultError {
    .stepUpFailed(account: account.name, failure)
  }

  private static func callerLeft(_ account: Account) -> VaultError {
    .temporary(account: account.name, message: "the caller went away", retryAfter: 1)
  }

  private static func seconds(_ retryAfter: Int64?) -> Int {
    Int(max(1, min(retryAfter ?? 5, StepUpPatience.retryAfterCap.wholeSeconds)))
  }
}
