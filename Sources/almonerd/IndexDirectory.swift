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
      for entry in entries { try index.put(AccountIndexEntry(entry.account, Self.standing(entry.phase))) }
      try file.save(index)
    } catch {
      switch error {
      case .untrusted: throw .untrusted("\(error)")
      case .noHome, .storage, .alreadyRunning, .newerFormat, .conflict: throw .storage("\(error)")
      }
    }
  }

  /// The entries of an index that was read.
  static func entries(_ index: AccountIndex) -> [AccountEntry] {
    index.entries.map { AccountEntry(account: $0.account, phase: phase($0.standing)) }
  }

  private static func standing(_ phase: AccountEntry.Phase) -> AccountIndexEntry.Standing {
    switch phase {
    case .pending: .pending
    case .signedIn: .signedIn
    case .signingOut: .signingOut
    }
  }

  private static func phase(_ standing: AccountIndexEntry.Standing) -> AccountEntry.Phase {
    switch standing {
    case .pending: .pending
    case .signedIn: .signedIn
    case .signingOut: .signingOut
    }
  }
}
