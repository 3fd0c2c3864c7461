import EventLoop
import Secrets
import Stores
import Vault

/// The secrets of OAuth clients, read on the storage thread.
actor ClientSecrets {
  private let storage: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe storage.asUnownedSerialExecutor() }

  init(storage: ThreadExecutor) { self.storage = storage }

  func read(_ path: String) throws(IssuerError) -> SecretBox {
    do throws(StoreError) {
      return try SecretFile.read(path, called: "client-secret-file")
    } catch {
      throw .configuration(error.text)
    }
  }
}
