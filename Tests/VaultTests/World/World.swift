import EventLoop
import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// A vault with everything around it in memory, and time that stands still until a test moves it.
final class World: Sendable {
  let clock: ManualClock
  /// The keyring, in which `account` is, and the sealed files, in which `home` is.
  let store: MemoryStore
  let sealed = MemoryStore(.sealedFile)
  let journal: MemoryJournal
  let carrier: ScriptedCarrier
  let issuer: PlainIssuer
  let index = MemoryIndex()
  let thread: LoopThread
  let vault: Vault
  let account: Account
  let home: Account

  /// Starts with one account that holds `generation` with `life` seconds of life, received just now.
  convenience init(
    policy: RotationPolicy = .didit, life: Int = 300, generation: UInt64 = 1, refreshes: Bool = true,
    narrows: Bool = true, phase: AccountEntry.Phase = .signedIn, hasHome: Bool = false, isBare: Bool = false,
    dpopKey: String? = nil
  ) throws {
    try self.init(
      policy: policy, narrows: narrows, phase: phase, hasHome: hasHome, isBare: isBare, clock: ManualClock(),
      store: MemoryStore(.secretService), journal: MemoryJournal())
    let first = tokens(generation, life: life, refreshes: refreshes, type: dpopKey == nil ? "Bearer" : "dPoP")
    try put(record(generation, first, dpopKey: dpopKey))
    if hasHome { try sealed.put(RecordCodec.encode(record(1, tokens(1), of: home)), for: home) }
  }

  /// The next daemon over what an earlier one left; after a reboot with a clock of its own.
  convenience init(after earlier: World, clock: ManualClock? = nil) throws {
    try self.init(
      policy: earlier.account.issuer.rotation, narrows: earlier.account.issuer.options.narrows, phase: .signedIn,
      hasHome: false, isBare: false, clock: clock ?? earlier.clock, store: earlier.store, journal: earlier.journal)
  }

  private init(
    policy: RotationPolicy, narrows: Bool, phase: AccountEntry.Phase, hasHome: Bool, isBare: Bool,
    clock: ManualClock, store: MemoryStore, journal: MemoryJournal
  ) throws {
    self.clock = clock
    self.store = store
    self.journal = journal
    carrier = ScriptedCarrier(journal: journal, clock: clock)
    thread = try LoopThread(name: "vault-test")
    var options = IssuerOptions()
    options.narrows = narrows
    let profile = IssuerProfile(
      name: "test", kind: "didit", identifier: "https://issuer.test", environment: .live, clientID: nil,
      egress: EgressPolicy(), rotation: policy, options: options)
    let issuer = PlainIssuer(profile)
    self.issuer = issuer
    account = Account(
      id: try #require(AccountID("0123456789abcdef0123456789abcdef")), name: "work", issuer: profile,
      backend: .secretService)
    home = Account(
      id: try #require(AccountID("fedcba9876543210fedcba9876543210")), name: "home", issuer: profile,
      backend: .sealedFile)
    let adapter: any Issuer = isBare ? BareIssuer(issuer) : issuer
    let tools = SessionTools(
      clock: clock, carrier: carrier, journal: journal, stores: [.secretService: store, .sealedFile: sealed],
      directory: index, makeIssuer: { _ in adapter }, machine: "machine", user: 1000,
      executor: thread.loop)
    let known = hasHome ? [account, home] : [account]
    vault = Vault(known.map { AccountEntry(account: $0, phase: phase) }, tools: tools, forceInterval: .seconds(30))
  }

  deinit { thread.stop() }

  /// Tokens `at-N` and `rt-N`, received now.
  func tokens(_ generation: UInt64, life: Int = 300, refreshes: Bool = true, type: String = "Bearer") -> TokenSet {
    TokenSet(
      accessToken: secret("at-\(generation)"), refreshToken: refreshes ? secret("rt-\(generation)") : nil,
      idToken: nil, tokenType: type, scope: nil, lifetime: .seconds(life), receivedAt: clock.now,
      receivedBoot: clock.bootID, receivedWall: clock.wall)
  }

  func record(
    _ generation: UInt64, _ tokens: TokenSet, machine: String = "machine", user: UInt32 = 1000,
    of owner: Account? = nil, claims: [VerifiedIdentity.Claim] = [], dpopKey: String? = nil
  ) -> StoredRecord {
    StoredRecord(
      account: (owner ?? account).id, issuer: account.issuer.identifier, machine: machine, user: user,
      generation: generation,
      journalKey: secret(String(repeating: "k", count: 32)), tokens: tokens,
      identity: VerifiedIdentity(issuer: account.issuer.identifier, subject: "ada", claims: claims),
      dpopKey: dpopKey.map(secret))
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
  let trouble = Mutex(JournalError?.none)
  private let coming = Mutex((after: 0, JournalError?.none))

  /// So many writes go well, and then none.
  func refuseAfter(_ count: Int, _ trouble: JournalError) { coming.withLock { $0 = (count, trouble) } }

  func write(_ entries: [AccountEntry]) async throws(JournalError) {
    if let trouble = trouble.withLock({ $0 }) { throw trouble }
    let next = coming.withLock { coming -> JournalError? in
      coming.after -= 1
      return coming.after == 0 ? coming.1 : nil
    }
    if let next { trouble.withLock { $0 = next } }
    // As on a disk: others get their turn meanwhile.
    await Task.yield()
    written.withLock { $0.append(entries) }
  }
}
