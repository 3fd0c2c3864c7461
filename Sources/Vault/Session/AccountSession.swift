import Secrets
import Time

/// One account while the daemon runs: its tokens, its callers, and the one piece of work that is done for all of them.
///
/// An account never waits for another: each has a session of its own, and nothing here blocks the loop.
package actor AccountSession {
  nonisolated let tools: SessionTools
  nonisolated let hub: EventHub
  nonisolated package let id: AccountID
  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    unsafe tools.executor.asUnownedSerialExecutor()
  }

  package internal(set) var account: Account
  var machine: SessionMachine
  var waiters = WaitingRoom()
  var deadlineWatch: Task<Void, Never>?
  var watchedDeadline: BootInstant?
  var task: Task<Void, Never>?
  /// Stores the newest generation, again and again until the store has it.
  var storing: Task<Void, Never>?
  /// What the issuer granted, while the store does not have it yet: the record to store.
  var unstored: StoredRecord?
  var storeTrouble: String? { didSet { machine.storeRefuses = storeTrouble != nil } }
  /// Who waits for the store's answer to the newest tokens.
  var storeWatchers: [CheckedContinuation<Void, Never>] = []
  /// A refresh of unknown fate that an earlier daemon left behind.
  var unresolved: Unresolved?
  /// What the journal's intent is not set idle for yet: the flight that landed, and the generation it brought.
  var unsettled: (generation: UInt64, flight: UInt64)?
  /// A flight whose answer turned the token away unlooked at, with nothing of unknown fate before it: the next one
  /// counts its sends from one.
  var clearedFlight: UInt64?
  /// The flight whose answer was read last. Any other answer in the journal is news.
  var readFlight: UInt64?
  /// Whether the answer that is read belongs to an earlier request, and not to the work that runs.
  var isReadingFound = false
  /// The pause of the work that runs; sign-out ends it.
  var pausing: Task<Void, Never>?
  var journalKey: SecretBox?
  /// The key that the tokens are bound to, if they are.
  var dpopKey: SecretBox?
  package internal(set) var identity: VerifiedIdentity?
  /// The tokens that sign-out revokes; one that landed after it began is among them, and is never stored.
  var farewell: TokenSet?
  /// Tokens that were received and are being checked; from here on they are the newest.
  var arriving: (tokens: TokenSet, number: UInt64)?
  /// What a narrowed refresh brought and could not be checked yet. Nothing of it is taken over before.
  var unchecked: (tokens: TokenSet, flight: UInt64)?
  /// Whether the daemon is stopping.
  var isStopping = false
  /// Forgetting for `Lock`, which waits for a flight.
  var forgetting: Task<Void, Never>?
  /// Whether nothing new is begun or waited for.
  var isDraining: Bool { isStopping || forgetting != nil }
  var leaving: Task<SignOutReport, Never>?
  /// The generation of `farewell`.
  var leavingGeneration: UInt64 = 0
  var lastCheck: SessionCheck?
  /// The session check that runs, for all who ask meanwhile.
  var checking: Task<Result<SessionCheck, VaultError>, Never>?
  private var adapter: (any Issuer)?

  init(_ account: Account, tools: SessionTools, hub: EventHub, forceInterval: Duration) {
    id = account.id
    self.account = account
    self.tools = tools
    self.hub = hub
    machine = SessionMachine(name: account.name, forceInterval: forceInterval)
  }

  // MARK: Tokens

  /// The token that is in memory and will do, or nil when something has to be done first. Never suspends: the fast path.
  package func readyToken(_ request: AccessRequest) -> AccessGrant? {
    guard case .holding(let main) = machine.state, main.isVerified, !request.isForced,
      let generation = request.narrowing.map({ machine.narrowed.token($0) }) ?? main
    else { return nil }
    let now = tools.clock.now
    switch Freshness.of(generation, asked: request.minimumLife, at: now) {
    case .serve: return grant(generation, request, shorter: false, at: now)
    case .serveShorter: return grant(generation, request, shorter: true, at: now)
    case .due: return nil
    }
  }

  /// A token that satisfies the request, refreshed first if it has to be. All callers that wait share one refresh.
  package func accessToken(_ request: AccessRequest) async throws(VaultError) -> AccessGrant {
    try requireNarrowing(request.narrowing)
    return try await askAndWait(request)
  }

  /// Refuses a narrowing where the issuer is not known to narrow.
  func requireNarrowing(_ narrowing: Narrowing?) throws(VaultError) {
    guard let narrowing, !account.issuer.options.narrows else { return }
    throw .badRequest(
      field: narrowing.resource == nil ? "scopes" : "resource",
      message: "this issuer is not known to narrow tokens without narrowing the session: narrows= in almoner.conf(5)")
  }

  /// A caller's token of `generation` was refused. Starts at most one refresh per generation; says whether one runs.
  package func reportRejected(generation: UInt64, narrowing: Narrowing? = nil) -> Bool {
    if let narrowing {
      // The next caller who wants the same causes another.
      return machine.narrowed.drop(narrowing, generation: generation) || machine.work == .narrow(narrowing)
    }
    guard case .holding(let held) = machine.state, held.isPresent(in: generation) else {
      return machine.work == .rotate
    }
    beginRefresh()
    return machine.work != nil
  }

  /// Begins a refresh for nobody in particular, unless one was forced just before.
  func beginRefresh() {
    let now = tools.clock.now
    if case .begin(let work) = machine.asked(AccessRequest(isForced: true, deadline: now), at: now) { begin(work) }
  }

  func grant(
    _ generation: Generation, _ request: AccessRequest, shorter: Bool, refreshed: Bool = false, at now: BootInstant
  ) -> AccessGrant {
    AccessGrant(
      account: account.name, issuer: account.issuer.identifier, accessToken: generation.accessToken,
      tokenType: generation.tokenType, scope: generation.scope,
      expiresIn: Int(generation.lifeLeft(at: now).wholeSeconds), generation: generation.number, isShorter: shorter,
      wasRefreshed: refreshed, hindrance: request.isForced && !refreshed ? machine.hindrance(at: now) : nil)
  }

  // MARK: Work

  func begin(_ work: SessionMachine.Work) {
    machine.began(work)
    if work.isRotation { tools.onStep(.r0) }
    if case .narrow = work { machine.narrowed.beganRefresh(at: tools.clock.now) }
    task = Task(executorPreference: tools.executor) { await self.perform(work) }
  }

  private func perform(_ work: SessionMachine.Work) async {
    let before = heldNumber
    switch work {
    case .load: await load()
    case .rotate: await rotate(nil)
    case .narrow(let narrowing): await rotate(narrowing)
    case .resolve: await resolveStored()
    case .verify: await verifyStored()
    case .store: await triedToStore()
    }
    machine.ended()
    task = nil
    tools.onStep(.idle)
    beginPending()
    answerWaiters(after: work, refreshed: heldNumber != before && work != .load)
  }

  /// Loading may have found a refresh of unknown fate: finding out is work of its own, so that callers whose token
  /// still lives are served meanwhile. It begins before the callers are asked about: one of them could begin a
  /// refresh, which would send the same token without another thought.
  private func beginPending() {
    guard !isDraining, unresolved != nil, machine.work == nil, case .holding = machine.state else { return }
    begin(.resolve)
  }

  private var heldNumber: UInt64? {
    guard case .holding(let generation) = machine.state else { return nil }
    return generation.number
  }

  // MARK: What it is made of

  var store: any CredentialStore {
    guard let store = tools.stores[account.backend] else { preconditionFailure("a store for every backend") }
    return store
  }

  func issuer() throws(IssuerError) -> any Issuer {
    if let adapter { return adapter }
    let made = try tools.makeIssuer(account.issuer)
    adapter = made
    return made
  }

  func journalContext(_ key: SecretBox) -> JournalContext {
    JournalContext(
      account: id, issuer: account.issuer.identifier, machine: tools.machine, user: tools.user, journalKey: key)
  }

  func tell(_ kind: VaultEvent.Kind, generation: UInt64? = nil, _ detail: String? = nil) {
    hub.publish(VaultEvent(kind, account: account.name, generation: generation, detail: detail))
  }
}
