/// An error of `org.almoner.Almoner`. `message` says what happened and whether it passes; `help` is the one command
/// that helps, or empty.
package enum AlmonerError: Error, Equatable, Sendable {
  /// Nobody is signed in, or no longer. `reason` in a word.
  case signInRequired(account: String, reason: String, message: String, help: String)
  /// The store of the account, or the daemon, is locked.
  case locked(account: String?, message: String, help: String)
  /// It may work again; `retryAfter` in seconds.
  case temporary(account: String?, message: String, retryAfter: Int64, help: String)
  case unknownAccount(account: String?, message: String, help: String)
  /// A fresh or stronger sign-in is needed (RFC 9470).
  case stepUpRequired(account: String, acrValues: [String]?, maxAge: Int64?, message: String, help: String)
  case denied(account: String?, message: String, help: String)
  /// `field` is the parameter that is wrong; empty when it is the message itself.
  case badRequest(field: String, message: String, help: String)
  /// A limit of the daemon is reached; `retryAfter` in seconds.
  case busy(message: String, retryAfter: Int64, help: String)
  /// The disk or the keyring refused.
  case storage(account: String?, message: String, help: String)
  /// The configuration or the registration cannot work.
  case misconfigured(account: String?, message: String, help: String)
  /// A sign-in ended without an account.
  case signInFailed(reason: SignInFailure, message: String, help: String)
  /// The issuer has not enabled device monitoring for the application.
  case monitoringUnavailable(account: String, message: String, help: String)
  /// A step-up ended without an approval.
  case stepUpFailed(account: String, reason: Wire.StepUpFailure, message: String, help: String)

  package var message: String {
    switch self {
    case .signInRequired(_, _, let message, _), .locked(_, let message, _), .temporary(_, let message, _, _),
      .unknownAccount(_, let message, _), .stepUpRequired(_, _, _, let message, _), .denied(_, let message, _),
      .badRequest(_, let message, _), .busy(let message, _, _), .storage(_, let message, _),
      .misconfigured(_, let message, _), .signInFailed(_, let message, _), .stepUpFailed(_, _, let message, _),
      .monitoringUnavailable(_, let message, _):
      message
    }
  }

  package var help: String {
    switch self {
    case .signInRequired(_, _, _, let help), .locked(_, _, let help), .temporary(_, _, _, let help),
      .unknownAccount(_, _, let help), .stepUpRequired(_, _, _, _, let help), .denied(_, _, let help),
      .badRequest(_, _, let help), .busy(_, _, let help), .storage(_, _, let help), .misconfigured(_, _, let help),
      .signInFailed(_, _, let help), .stepUpFailed(_, _, _, let help),
      .monitoringUnavailable(_, _, let help):
      help
    }
  }

  /// The account it is about; nil when it is about none.
  package var account: String? {
    switch self {
    case .signInRequired(let account, _, _, _), .stepUpRequired(let account, _, _, _, _),
      .stepUpFailed(let account, _, _, _), .monitoringUnavailable(let account, _, _):
      account
    case .locked(let account, _, _), .temporary(let account, _, _, _), .unknownAccount(let account, _, _),
      .denied(let account, _, _), .storage(let account, _, _), .misconfigured(let account, _, _):
      account
    case .badRequest, .busy, .signInFailed: nil
    }
  }
}
