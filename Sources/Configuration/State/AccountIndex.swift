package import Vault

/// All accounts that this daemon knows, so that starting needs neither keyring nor configuration. Holds no secret and
/// says nothing of a person but the names they chose.
package struct AccountIndex: Equatable, Sendable {
  /// Sorted by name; accounts of one name in the order in which they came.
  package private(set) var entries: [AccountEntry] = []
  private var ids: Set<AccountID> = []

  package init() {}

  package subscript(id: AccountID) -> AccountEntry? { entries.first { $0.account.id == id } }

  /// The signed-in account of this name.
  package subscript(name: String) -> AccountEntry? {
    signedIn(name)
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// The same accounts, those named signing out.
  func signingOut(_ accounts: Set<AccountID>) -> Self {
    var changed = self
    for index in entries.indices where accounts.contains(entries[index].account.id) {
      changed.entries[index].phase = .signingOut
    }
    return changed
  }

  /// Adds the entry, or replaces the one of the same account.
  ///
  /// One name may belong to one signed-in account, and beside it to others that are coming or going. Throws
  /// ``StateError/conflict(_:)`` when another signed-in account has it, or when it breaks the rule of names.
  package mutating func put(_ entry: AccountEntry) throws(StateError) {
    let account = entry.account
    guard AccountName.isValid(account.name) else { throw .conflict("that is no name for an account") }
    if entry.phase == .signedIn, let other = signedIn(account.name), other.account.id != account.id {
      throw .conflict("another account is named \(account.name)")
    }
    remove(account.id)
    entries.insert(entry, at: place { $0 <= account.name })
    ids.insert(account.id)
  }

  /// Removes the account. Removing nothing is no error.
  package mutating func remove(_ id: AccountID) {
    // Not looked for among a thousand when it is new.
    if ids.remove(id) != nil { entries.removeAll { $0.account.id == id } }
  }

  private func signedIn(_ name: String) -> AccountEntry? {
    entries[place { $0 < name }...].prefix { $0.account.name == name }.first { $0.phase == .signedIn }
  }

  /// The place of the first entry whose name is not before, found by halving.
  private func place(isBefore: (String) -> Bool) -> Int {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle].account.name) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
