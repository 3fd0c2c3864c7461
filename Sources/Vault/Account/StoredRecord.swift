package import Secrets

/// What a store keeps of one account: one generation, whole, so that replacing the record replaces all tokens at once.
package struct StoredRecord: Sendable {
  package let account: AccountID
  /// The issuer identifier it belongs to; a record of another issuer is never used.
  package let issuer: String
  /// `/etc/machine-id` and the uid it was made for; elsewhere the record is foreign and never sent.
  package let machine: String
  package let user: UInt32
  /// 0 before the code was redeemed (then `tokens` is nil), then 1, 2, 3, …
  package let generation: UInt64
  /// 32 random bytes under which the rotation journal's intent is sealed. It does not change with the generation.
  package let journalKey: SecretBox
  package let tokens: TokenSet?
  /// Who the verified ID token of the sign-in named; nil at generation 0. Kept here and nowhere else on disk.
  package let identity: VerifiedIdentity?
  /// The nonce of the sign-in under way; only at generation 0, so that a crash after the answer landed loses nothing.
  package let nonce: SecretBox?
  /// The key that the tokens are bound to (RFC 9449), as ``OAuth/DPoPKey`` draws it; nil for tokens that are not bound. Like
  /// `journalKey` it stays the same from sign-in to sign-out.
  package let dpopKey: SecretBox?

  package init(
    account: AccountID, issuer: String, machine: String, user: UInt32, generation: UInt64, journalKey: SecretBox,
    tokens: TokenSet?, identity: VerifiedIdentity?, nonce: SecretBox? = nil,
    dpopKey: SecretBox? = nil
  ) {
    self.account = account
    self.issuer = issuer
    self.machine = machine
    self.user = user
    self.generation = generation
    self.journalKey = journalKey
    self.tokens = tokens
    self.identity = identity
    self.nonce = nonce
    self.dpopKey = dpopKey
  }
}
