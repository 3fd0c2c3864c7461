import Secrets
import Synchronization
import Vault

/// A store in memory that can be locked, broken or held up.
final class MemoryStore: CredentialStore {
  struct State {
    var kept: [AccountID: SecretBox] = [:]
    var trouble: StoreError?
    var saves = 0
    var loads = 0
    var forgets = 0
    var unlocking: StoreError?
  }

  let backend: StoreBackend
  /// As with the real ones, only the sealed file says so unasked.
  var isKnownLocked: Bool { backend == .sealedFile && state.withLock { $0.trouble == .locked } }
  let state = Mutex(State())

  init(_ backend: StoreBackend = .secretService) { self.backend = backend }

  func availability() async -> StoreAvailability {
    switch state.withLock({ $0.trouble }) {
    case nil: .available
    case .locked: .locked
    case .some(let trouble): .unavailable(trouble.text)
    }
  }

  func load(_ account: Account) async throws(StoreError) -> SecretBox? {
    let (trouble, kept) = state.withLock { state in
      state.loads += 1
      return (state.trouble, state.kept[account.id])
    }
    if let trouble { throw trouble }
    return kept
  }

  func save(_ record: SecretBox, for account: Account) async throws(StoreError) {
    if let trouble = state.withLock({ $0.trouble }) { throw trouble }
    state.withLock {
      $0.kept[account.id] = record
      $0.saves += 1
    }
  }

  func remove(_ account: Account) async throws(StoreError) -> Bool {
    if let trouble = state.withLock({ $0.trouble }) { throw trouble }
    return state.withLock { $0.kept.removeValue(forKey: account.id) != nil }
  }

  func kept() async throws(StoreError) -> [KeptRecord] {
    if let trouble = state.withLock({ $0.trouble }) { throw trouble }
    return state.withLock { $0.kept.keys.map { KeptRecord(account: $0.text, label: "label of \($0.text)") } }
  }

  func unlock(passphrase: SecretBox?) async throws(StoreError) {
    if let refusal = state.withLock({ $0.unlocking }) { throw refusal }
    state.withLock { $0.trouble = nil }
  }

  func forget() async { state.withLock { $0.forgets += 1 } }

  /// As if it had been kept before.
  func put(_ record: SecretBox, for account: Account) { state.withLock { $0.kept[account.id] = record } }

  /// The person does not open it.
  func refuseUnlock(_ why: StoreError) { state.withLock { $0.unlocking = why } }

  func set(_ trouble: StoreError?) { state.withLock { $0.trouble = trouble } }
}
