import Secrets
import Synchronization
import Vault

/// A store in memory.
final class MemoryStore: CredentialStore {
  let backend = StoreBackend.secretService
  private let kept = Mutex([AccountID: SecretBox]())

  func availability() async -> StoreAvailability { .available }
  func load(_ account: Account) async throws(StoreError) -> SecretBox? { kept.withLock { $0[account.id] } }
  func save(_ record: SecretBox, for account: Account) async throws(StoreError) { put(record, account.id) }
  func remove(_ account: Account) async throws(StoreError) -> Bool {
    kept.withLock { $0.removeValue(forKey: account.id) != nil }
  }
  func kept() async throws(StoreError) -> [KeptRecord] {
    kept.withLock { $0.keys.map { KeptRecord(account: $0.text, label: "a label") } }
  }
  func unlock(passphrase: SecretBox?) async throws(StoreError) {}
  func forget() async {}

  func put(_ record: SecretBox, _ account: AccountID) { kept.withLock { $0[account] = record } }
}
