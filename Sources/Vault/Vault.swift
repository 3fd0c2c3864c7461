import Synchronization
import Time

/// All accounts of one person: finds the session a caller means, and does what concerns more than one.
///
/// It holds no token itself: each account has an ``AccountSession`` of its own.
package actor Vault {
  nonisolated package let tools: SessionTools
  nonisolated package let hub = EventHub()
  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe tools.executor.asUnownedSerialExecutor() }

  /// Whether `Lock` was called. While locked nothing but status, unlock and sign-out is done.
  package internal(set) var isLocked = false { didSet { locked.store(isLocked, ordering: .relaxed) } }
  /// The same for who asks before every call, and stays outside.
  nonisolated package var refusesCallers: Bool { locked.load(ordering: .relaxed) }
  private let locked = Atomic(false)
  /// Whether the daemon is stopping: nothing new is started.
  var isDraining = false
  /// The index as it is on disk, in the order of signing in.
  package internal(set) var entries: [AccountEntry] { didSet { places = AccountPlaces(entries) } }
  private var places: AccountPlaces
  /// The accounts that somebody asked for. Of the others nothing is in memory but their entry.
  private(set) var sessions: [AccountID: AccountSession] = [:]
  private var forceInterval: Duration
  /// Who writes the index, and who waits to change it next.
  private var indexTurns = Turns()
  /// The same for those who make an account of a sign-in, at each issuer.
  var adoptions: [String: Turns] = [:]
  /// Accounts whose sign-in is under way here. What an earlier daemon left behind is recovered, these are not.
  var underway: Set<AccountID> = []
  /// Sign-ins that are not in the index yet.
  var preparing = 0
  /// The last try of a passphrase, and how long the next wrong one waits for its answer.
  var passphraseTry: Task<StoreError?, Never>?
  var wrongPassphrases = Backoff()
  /// What sign-outs that nobody waited for have to say, the latest last.
  package internal(set) var signOutNotes: [String] = []
  static let maximumSignOutNotes = 8
  /// The device credentials of accounts at issuers that have such.
  var monitoring = MonitoringTokens()
  /// Goes on with what is unfinished.
  var finishing: Task<Void, Never>?

  package init(_ entries: [AccountEntry], tools: SessionTools, forceInterval: Duration) {
    self.entries = entries
    places = AccountPlaces(entries)
    self.tools = tools
    self.forceInterval = forceInterval
  }

  // MARK: Finding

  /// Whether there is an account at this issuer, or a sign-in under way.
  package func knows(issuer: String) -> Bool { entries.contains { $0.account.issuer.identifier == issuer } }

  /// The accounts that callers see.
  package var accounts: [Account] { entries.filter { $0.phase == .signedIn }.map(\.account) }

  /// The session that a caller means: by name, id or issuer URL, or the only one there is.
  package func session(_ selector: String?) throws(VaultError) -> AccountSession {
    if let place = places.place(selector) { return session(of: entries[place].account) }
    return session(of: try account(selector))
  }

  /// The account that a caller means.
  package func account(_ selector: String?) throws(VaultError) -> Account {
    if let place = places.place(selector) { return entries[place].account }
    let found = matches(selector)
    guard let first = found.first else { throw .unknownAccount(selector) }
    guard found.count == 1 else {
      let names = found.map(\.name).joined(separator: ", ")
      throw .badRequest(field: "account", message: "name one of: \(names)")
    }
    return first
  }

  /// Those of an issuer, or all.
  private func matches(_ selector: String?) -> [Account] {
    let visible = accounts
    guard let selector else { return visible }
    let issuer = selector.hasSuffix("/") ? String(selector.dropLast()) : selector
    return visible.filter { $0.issuer.identifier == issuer }
  }

  // MARK: Tokens

  /// The token that is in memory and will do, without a suspension: the fast path. Nil when the slow one is needed.
  package func ready(_ selector: String?, _ request: AccessRequest) -> Result<AccessGrant?, VaultError> {
    guard !isLocked else { return .failure(.locked(account: selector)) }
    do throws(VaultError) {
      let session = try session(selector)
      return .success(session.assumeIsolated { $0.readyToken(request) })
    } catch {
      return .failure(error)
    }
  }

  /// A token that satisfies the request, refreshed first if it has to be.
  package func accessToken(_ selector: String?, _ request: AccessRequest) async throws(VaultError) -> AccessGrant {
    guard !isLocked else { throw .locked(account: selector) }
    guard !isDraining else { throw .temporary(account: selector, message: "the daemon is stopping", retryAfter: 1) }
    return try await session(selector).accessToken(request)
  }

  // MARK: Telling

  /// Every visible account as it is now. Nothing is read from a store for it.
  package func list() -> [AccountSummary] {
    let override: AccountSummary.State? = isLocked ? .locked : nil
    return accounts.map { account in
      sessions[account.id].map { session in session.assumeIsolated { $0.summary(override) } }
        ?? AccountSummary(
          unused: account, override ?? (tools.stores[account.backend]?.isKnownLocked == true ? .locked : nil))
    }
  }

  /// Takes over a changed configuration.
  package func setForceInterval(_ interval: Duration) {
    forceInterval = interval
    for session in sessions.values { session.assumeIsolated { $0.machine.forceInterval = interval } }
  }

  // MARK: The index

  /// Changes the index: writes it, then takes it over. When writing fails nothing has changed.
  ///
  /// Writing suspends, so changes take turns: each starts from what the one before it left, and none is lost.
  func changeIndex(_ change: (inout [AccountEntry]) -> Void) async throws(VaultError) {
    await withCheckedContinuation { indexTurns.take($0) }
    defer { indexTurns.pass() }
    var next = entries
    change(&next)
    do {
      try await tools.directory.write(next)
    } catch {
      throw .storage(account: nil, message: error.text)
    }
    entries = next
  }

  // MARK: Sessions

  /// The account's session, made when it is first needed.
  func session(of account: Account) -> AccountSession {
    if let session = sessions[account.id] { return session }
    let session = AccountSession(account, tools: tools, hub: hub, forceInterval: forceInterval)
    if isDraining { session.assumeIsolated { $0.isStopping = true } }
    sessions[account.id] = session
    return session
  }

  func dropSession(of account: Account) { sessions[account.id] = nil }
}
