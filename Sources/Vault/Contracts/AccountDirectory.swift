/// The index of accounts on disk, which makes start independent of the keyring. It holds no secret and no `sub`.
package protocol AccountDirectory: Sendable {
  /// Replaces the index whole; durable when it returns.
  func write(_ entries: [AccountEntry]) async throws(JournalError)
}

/// One account in the index.
package struct AccountEntry: Equatable, Sendable {
  /// Where the account is between its first sign-in and its end.
  package enum Phase: String, CaseIterable, Sendable {
    /// A sign-in is under way: there may be an answer in the journal, and no tokens yet.
    case pending
    case signedIn = "signed-in"
    /// Sign-out began: a restart goes on with it, and no caller sees the account any more.
    case signingOut = "signing-out"
  }

  package var account: Account
  package var phase: Phase
  /// The account that a pending sign-in renews, if one was named: whoever goes on with it after a restart has to know.
  package var renews: AccountID?

  package init(account: Account, phase: Phase, renews: AccountID? = nil) {
    self.account = account
    self.phase = phase
    self.renews = renews
  }
}
