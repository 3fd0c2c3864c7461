import Configuration
import EventLoop
import Vault

/// The index of accounts, written on the storage thread.
actor IndexDirectory: AccountDirectory {
  private let file: AccountIndexFile
  private let storage: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe storage.asUnownedSerialExecutor() }

  init(_ file: AccountIndexFile, storage: ThreadExecutor) {
    self.file = file
    self.storage = storage
  }

  func write(_ entries: [AccountEntry]) throws(JournalError) {
    var index = AccountIndex()
    do throws(StateError) {
      for entry in entries { try index.put(entry) }
      try file.save(index)
    } catch {
      switch error {
      case .untrusted: throw .untrusted("\(error)")
      case .noHome, .storage, .alreadyRunning, .newerFormat, .conflict: throw .storage("\(error)")
      }
    }
  }
}
