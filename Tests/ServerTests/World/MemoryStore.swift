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
  func remove(_ account: Account) async throws(StoreError) {
    kept.withLock { _ = $0.removeValue(forKey: account.id) }
  }
  func unlock(passphrase: SecretBox?) async throws(StoreError) {}
  func forget() async {}

  func put(_ record: SecretBox, _ account: AccountID) { kept.withLock { $0[account] = record } }
}
