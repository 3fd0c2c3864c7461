import EventLoop
import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// A vault with everything around it in memory, and time that stands still until a test moves it.
final class World: Sendable {
  let clock = ManualClock()
  let store = MemoryStore()
  let journal = MemoryJournal()
  let carrier: ScriptedCarrier
  let issuer: PlainIssuer
  let index = MemoryIndex()
  let thread: LoopThread
  let vault: Vault
  let account: Account

  /// Starts with one account that holds `generation` with `life` seconds of life, received just now.
  init(policy: RotationPolicy = .didit, life: Int = 300, generation: UInt64 = 1, refreshes: Bool = true) throws {
    carrier = ScriptedCarrier(journal: journal, clock: clock)
    thread = try LoopThread(name: "vault-test")
    let profile = IssuerProfile(
      name: "test", kind: "didit", identifier: "https://issuer.test", environment: .live, clientID: nil,
      egress: EgressPolicy(), rotation: policy)
    let issuer = PlainIssuer(profile)
    self.issuer = issuer
    account = Account(
      id: try #require(AccountID("0123456789abcdef0123456789abcdef")), name: "work", issuer: profile,
      backend: .secretService)
    let tools = SessionTools(
      clock: clock, carrier: carrier, journal: journal, stores: [.secretService: store], directory: index,
      makeIssuer: { _ in issuer }, machine: "machine", user: 1000, executor: thread.loop)
    vault = Vault([AccountEntry(account: account, phase: .signedIn)], tools: tools, forceInterval: .seconds(30))
    let tokens = TokenSet(
      accessToken: secret("at-\(generation)"), refreshToken: refreshes ? secret("rt-\(generation)") : nil,
      idToken: nil, tokenType: "Bearer", scope: nil, lifetime: .seconds(life), receivedAt: clock.now,
      receivedBoot: clock.bootID, receivedWall: clock.wall)
    try put(record(generation, tokens))
  }

  deinit { thread.stop() }

  func record(_ generation: UInt64, _ tokens: TokenSet, machine: String = "machine") -> StoredRecord {
    StoredRecord(
      account: account.id, issuer: account.issuer.identifier, machine: machine, user: 1000, generation: generation,
      journalKey: secret(String(repeating: "k", count: 32)), tokens: tokens,
      identity: VerifiedIdentity(issuer: account.issuer.identifier, subject: "ada", claims: []))
  }

  func put(_ record: StoredRecord) throws {
    let bytes = try RecordCodec.encode(record)
    store.state.withLock { $0.kept[account.id] = bytes }
  }

  func stored() throws -> StoredRecord? {
    try store.state.withLock { $0.kept[account.id] }.map { try RecordCodec.decode($0) }
  }

  /// Asks for a token as a client would.
  func token(minimum: Int = 0, force: Bool = false, timeout: Int = 30) async throws(VaultError) -> AccessGrant {
    try await vault.accessToken(
      "work",
      AccessRequest(
        minimumLife: .seconds(minimum), isForced: force, deadline: clock.now + .seconds(timeout)))
  }
}

/// The index in memory.
final class MemoryIndex: AccountDirectory {
  let written = Mutex([[AccountEntry]]())

  func write(_ entries: [AccountEntry]) async throws(JournalError) {
    // As on a disk: others get their turn meanwhile.
    await Task.yield()
    written.withLock { $0.append(entries) }
  }
}
