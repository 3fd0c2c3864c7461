import Secrets

/// A sign-in under way: its place in index, store and journal is made, so that an answer can land whatever happens.
package struct SignInDraft: Sendable {
  package let account: Account
  package let issuer: any Issuer
  package let attempt: AuthorizationAttempt
  let journalKey: SecretBox
  /// The account that this sign-in renews, if it was named.
  let renews: AccountID?
  /// How the first tokens are got.
  let grant: SignInPlan.Grant

  /// The key that the tokens are to be bound to.
  var dpopKey: SecretBox? { attempt.dpopKey }

  /// What the ID token has to repeat. The device authorization grant has no request that could carry it.
  var nonce: SecretBox? {
    switch grant {
    case .code: attempt.nonce
    case .device: nil
    }
  }
}

/// Who signed in.
package struct SignInResult: Sendable {
  package let account: Account
  package let identity: VerifiedIdentity
  /// False when an account that was there was renewed.
  package let isNew: Bool
}
