import Exchange
import Secrets
import Synchronization
import Vault

/// Store, journal and index in memory: what is left when a daemon dies.
final class Shelf: CredentialStore, RotationJournal, AccountDirectory {
  struct State {
    var kept: [AccountID: SecretBox] = [:]
    var saves = 0
    var availability = StoreAvailability.available
    var saving: StoreError?
    /// Accounts whose records cannot be read, and why.
    var unreadable: [AccountID: StoreError] = [:]
    var intents: [AccountID: JournalReading.Intent] = [:]
    var pads: [AccountID: HTTPAnswer] = [:]
    var index: [AccountEntry] = []
    var writes = 0
    /// How often an intent was written.
    var intentWrites = 0
  }

  let backend = StoreBackend.secretService
  let state = Mutex(State())

  var index: [AccountEntry] { state.withLock { $0.index } }
  /// Whether no account has left a trace.
  var isEmpty: Bool { state.withLock { $0.kept.isEmpty && $0.intents.isEmpty && $0.pads.isEmpty && $0.index.isEmpty } }

  // MARK: Store

  func availability() async -> StoreAvailability { state.withLock { $0.availability } }
  func load(_ account: Account) async throws(StoreError) -> SecretBox? {
    if let trouble = state.withLock({ $0.unreadable[account.id] }) { throw trouble }
    return state.withLock { $0.kept[account.id] }
  }

  func save(_ record: SecretBox, for account: Account) async throws(StoreError) {
    if let trouble = state.withLock({ $0.saving }) { throw trouble }
    // As on a disk: others get their turn meanwhile.
    await Task.yield()
    state.withLock {
      $0.kept[account.id] = record
      $0.saves += 1
    }
  }

  func remove(_ account: Account) async throws(StoreError) -> Bool {
    state.withLock { $0.kept.removeValue(forKey: account.id) != nil }
  }

  func kept() async throws(StoreError) -> [KeptRecord] { [] }
  func unlock(passphrase: SecretBox?) async throws(StoreError) {}
  func forget() async {}

  // MARK: Journal

  func prepare(_ context: JournalContext) async throws(JournalError) {
    state.withLock {
      if $0.intents[context.account] == nil { $0.intents[context.account] = JournalReading.Intent.none }
    }
  }

  func read(_ context: JournalContext) async throws(JournalError) -> JournalReading {
    state.withLock {
      JournalReading(
        intent: $0.intents[context.account] ?? .none, isFlying: false, departed: true, pad: $0.pads[context.account],
        forged: 0)
    }
  }

  func write(_ intent: SendingIntent, _ context: JournalContext) async throws(JournalError) {
    state.withLock {
      $0.intents[context.account] = .sending(intent)
      $0.intentWrites += 1
      $0.pads[context.account] = nil
    }
  }

  func settle(_ idle: IdleIntent, _ context: JournalContext) async throws(JournalError) {
    state.withLock { $0.intents[context.account] = .idle(idle) }
  }

  func landing(_ context: JournalContext) async throws(JournalError) -> HTTPAnswer? {
    state.withLock { $0.pads[context.account] }
  }

  func courierGone(_ account: AccountID) async {}

  func wipe(_ account: AccountID) async throws(JournalError) {
    state.withLock {
      $0.intents[account] = nil
      $0.pads[account] = nil
    }
  }

  // MARK: Index

  func write(_ entries: [AccountEntry]) async throws(JournalError) {
    state.withLock {
      $0.index = entries
      $0.writes += 1
    }
  }
}
