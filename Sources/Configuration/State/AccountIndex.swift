package import Vault

/// All accounts that this daemon knows, so that starting needs neither keyring nor configuration. Holds no secret and
/// says nothing of a person but the names they chose.
package struct AccountIndex: Equatable, Sendable {
  /// Sorted by name; accounts of one name in the order in which they came.
  package private(set) var entries: [AccountEntry] = []

  package init() {}

  package subscript(id: AccountID) -> AccountEntry? { entries.first { $0.account.id == id } }

  /// The signed-in account of this name.
  package subscript(name: String) -> AccountEntry? {
    entries.first { $0.phase == .signedIn && $0.account.name == name }
  }

  /// Adds the entry, or replaces the one of the same account.
  ///
  /// One name may belong to one signed-in account, and beside it to others that are coming or going. Throws
  /// ``StateError/conflict(_:)`` when another signed-in account has it, or when it breaks the rule of names.
  package mutating func put(_ entry: AccountEntry) throws(StateError) {
    let account = entry.account
    guard AccountName.isValid(account.name) else { throw .conflict("that is no name for an account") }
    if entry.phase == .signedIn, let other = self[account.name], other.account.id != account.id {
      throw .conflict("another account is named \(account.name)")
    }
    entries.removeAll { $0.account.id == account.id }
    let place = entries.firstIndex { account.name < $0.account.name } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  /// Removes the account. Removing nothing is no error.
  package mutating func remove(_ id: AccountID) { entries.removeAll { $0.account.id == id } }
}
