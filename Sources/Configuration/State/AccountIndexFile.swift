import Vault

/// `accounts.conf` in the state directory. Every call blocks on the disk: call it on the storage thread.
package struct AccountIndexFile: Sendable {
  static let name = "accounts.conf"

  private let directory: PrivateDirectory
  private var marks: SignOutMarks { SignOutMarks(directory: directory) }

  package init(in directory: PrivateDirectory) { self.directory = directory }

  /// Reads the index; an empty one when there is no file.
  ///
  /// A damaged file gets a second name, so that the next ``save(_:)`` does not lose it, and gives up the accounts that
  /// can still be read. Throws ``StateError/newerFormat(path:)`` rather than misread a newer version's file.
  package func load() throws(StateError) -> LoadedAccountIndex {
    directory.removeTemporary(of: Self.name)
    guard let bytes = try directory.readFile(Self.name, upTo: AccountIndexFormat.maximumFile) else {
      return LoadedAccountIndex(index: AccountIndex(), problems: [], damagedCopy: nil)
    }
    let path = "\(directory.path)/\(Self.name)"
    guard let (index, problems) = AccountIndexFormat.decode(bytes, file: path) else {
      throw .newerFormat(path: path)
    }
    let copy = problems.isEmpty ? nil : try directory.keepDamaged(Self.name)
    let marked = index.isEmpty ? index : index.signingOut(try marks.read())
    return LoadedAccountIndex(index: marked, problems: problems, damagedCopy: copy.map { "\(directory.path)/\($0)" })
  }

  /// Replaces the file whole: temporary file, fsync, rename, fsync of the directory.
  ///
  /// Refuses one that ``load()`` would not read: its accounts would be forgotten. Where the disk refuses, and nothing but
  /// sign-outs are new, they are marked in room that was kept for it.
  package func save(_ index: AccountIndex) throws(StateError) {
    let bytes = AccountIndexFormat.encode(index)
    guard bytes.count <= AccountIndexFormat.maximumFile else {
      throw .storage(path: "\(directory.path)/\(Self.name)", why: "there are too many accounts")
    }
    let leaving = leavingAlone(index)
    do throws(StateError) {
      try directory.replaceFile(Self.name, with: bytes)
    } catch {
      guard case .storage = error, !leaving.isEmpty else { throw error }
      return try marks.add(leaving)
    }
    marks.settle(isNeeded: !index.isEmpty)
  }

  /// The accounts that are signing out in `index`, if that is all that is new in it.
  private func leavingAlone(_ index: AccountIndex) -> [AccountID] {
    let leaving = index.entries.filter { $0.phase == .signingOut }.map(\.account.id)
    guard !leaving.isEmpty else { return [] }
    do throws(StateError) {
      return try load().index.signingOut(Set(leaving)) == index ? leaving : []
    } catch {
      return []
    }
  }
}

/// What was found in the index.
package struct LoadedAccountIndex: Equatable, Sendable {
  package let index: AccountIndex
  /// Why accounts are missing from it; empty when all is well.
  package let problems: [ConfigurationProblem]
  /// Where the damaged file is kept for diagnosis, or nil.
  package let damagedCopy: String?
}
