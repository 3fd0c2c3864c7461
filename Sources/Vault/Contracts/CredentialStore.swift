package import Secrets

/// A place that keeps one sealed secret an account: the Secret Service, or the sealed file.
///
/// It knows nothing of tokens: it keeps the bytes of an encoded ``StoredRecord``. Every call has a deadline of its own
/// (2 s; `unlock` 120 s), runs off the loop, and never raises a prompt, `unlock` aside.
package protocol CredentialStore: Sendable {
  var backend: StoreBackend { get }

  /// Whether it is known to be locked without asking anybody. False where only asking could tell.
  var isKnownLocked: Bool { get }

  /// Whether the store could be read now. Never raises a prompt.
  func availability() async -> StoreAvailability

  /// The bytes kept for the account, or nil when it can be seen that the store has none.
  func load(_ account: Account) async throws(StoreError) -> SecretBox?

  /// Replaces the account's bytes whole, then reads them back. After it returns the store holds exactly `record`;
  /// when it throws, it holds what it held before or `record`, never a mixture.
  func save(_ record: SecretBox, for account: Account) async throws(StoreError)

  /// Removes what is kept for the account and looks again that nothing is found. Removing nothing is no error. Returns
  /// whether there was something.
  @discardableResult
  func remove(_ account: Account) async throws(StoreError) -> Bool

  /// What is kept here, whoever it belongs to. No secret is read for it.
  func kept() async throws(StoreError) -> [KeptRecord]

  /// Asks the person to unlock: the keyring's own prompt, or `passphrase` for the sealed file. Asks nobody, and looks at no
  /// passphrase, when it is open.
  func unlock(passphrase: SecretBox?) async throws(StoreError)

  /// Forgets keys and passphrases held in memory.
  func forget() async
}

extension CredentialStore {
  package var isKnownLocked: Bool { false }
}

/// One record in a store, seen from outside.
package struct KeptRecord: Equatable, Sendable {
  /// The id of the account that it says it is of. Anybody could have written it.
  package let account: String
  /// What a person sees of it in the store: the item's label, the file's path in the state directory.
  package let label: String

  package init(account: String, label: String) {
    self.account = account
    self.label = label
  }
}

package enum StoreAvailability: Equatable, Sendable {
  case available
  case locked
  /// Not there or not answering; the text says what, without anything secret.
  case unavailable(String)
  /// The disk refuses, what is there is damaged or not ours alone, or there will be no store without somebody's doing;
  /// the text says what.
  case refusing(String)
}

/// Why a store did not do what was asked. The stored generation is untouched.
package enum StoreError: Error, Equatable, Sendable {
  /// Locked: present or absent cannot be told. Never "signed out".
  case locked
  /// No service, no answer within the deadline, a `plain` session, … Temporary.
  case unavailable(String)
  /// The disk or the service refused to keep it (ENOSPC, EIO, …), or there is no session in which it could run.
  case storage(String)
  /// Something is there that cannot be read. It is kept for diagnosis and never overwritten.
  case damaged(String)
  /// The file or its directory is not ours alone: loose mode, foreign owner, symbolic link, network file system.
  case untrusted(String)
  /// The passphrase was wrong.
  case wrongPassphrase
  /// The person dismissed the prompt.
  case dismissed
}
