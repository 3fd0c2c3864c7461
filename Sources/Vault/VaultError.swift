/// Why the vault did not do what was asked. No case holds anything secret.
package enum VaultError: Error, Equatable, Sendable {
  /// Only the person can mend it.
  case signInRequired(account: String, SignInReason)
  /// The account's store, or the daemon itself, is locked. Never "signed out".
  case locked(account: String?)
  /// Try again after so many seconds.
  case temporary(account: String?, message: String, retryAfter: Int)
  case unknownAccount(String?)
  /// A parameter does not do; `field` names it.
  case badRequest(field: String, message: String)
  /// The account, or its issuer, has no such thing: nothing that was asked is wrong by itself.
  case unsupported(account: String, message: String)
  /// Disk or keyring refuse; what is stored is intact.
  case storage(account: String?, message: String)
  /// The configuration cannot work; the tokens are kept.
  case misconfigured(account: String?, message: String)
  /// The person or the issuer said no.
  case denied(account: String?, message: String)
  /// A sign-in ended without an account.
  case signInFailed(SignInFailure, message: String)
  /// The sign-in behind the tokens does not suffice for what a resource demands; the text says why.
  case stepUpRequired(account: String, AuthenticationChallenge, String)
  /// The vendor has not enabled device credentials for the application.
  case monitoringUnavailable(account: String)
  /// A step-up ended without an approval.
  case stepUpFailed(account: String, StepUpFailure)
}

/// Why a sign-in is needed.
package enum SignInReason: String, Sendable {
  /// The issuer said that the refresh token is dead.
  case refused
  /// A refresh was consumed and its answer is lost; the session resource said so.
  case lost
  /// A refresh has an unknown fate, and sending the token again could end more than this session.
  case uncertain
  /// The store holds an older generation than the journal has seen.
  case rolledBack = "rolled-back"
  /// The record was made for another machine or user.
  case otherMachine = "other-machine"
  /// What is stored, or its journal, cannot be read; it is kept for diagnosis.
  case damaged
  /// The store is open and holds nothing for this account.
  case missing
  /// The access token ran out, and the issuer granted no refresh token.
  case cannotRenew = "cannot-renew"
  /// A token that came failed its checks; it is stored and not served.
  case unverified
}

/// Why a sign-in ended without an account.
package enum SignInFailure: String, Sendable {
  case cancelled
  case timeout
  case portBusy = "port-busy"
  case wrongPerson = "wrong-person"
  case refused
  /// The codes of a device authorization grant ran out.
  case expired
}
