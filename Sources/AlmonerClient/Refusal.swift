import Wire

/// An error that the daemon answered with.
public struct Refusal: Equatable, Sendable {
  /// What kind of error it is.
  public enum Reason: Equatable, Sendable {
    /// Nobody is signed in, or the session is over.
    case signInRequired
    /// The account's store, or the daemon, is locked.
    case locked
    /// Nothing is lost; ask again after so long.
    case temporary(retryAfter: Duration)
    /// No such account, or none was named and there is not exactly one.
    case unknownAccount
    /// A fresh or stronger sign-in is needed (RFC 9470): what is missing of it.
    case stepUpRequired(AuthenticationChallenge)
    /// The person, or the rules, said no.
    case denied
    /// A parameter cannot be meant.
    case badRequest(field: String)
    /// A limit of the daemon is reached; ask again after so long.
    case busy(retryAfter: Duration)
    /// The disk or the keyring refused.
    case storage
    /// The configuration cannot work.
    case misconfigured
    /// A step-up ended without an approval.
    case stepUpFailed(StepUpFailure)
    /// The issuer has not enabled device monitoring for the application.
    case monitoringUnavailable
    /// An error that this version does not know, by its name.
    case other(String)
  }

  /// What kind of error it is.
  public let reason: Reason
  /// The account it is about, if about one.
  public let account: String?
  /// What happened, for a person.
  public let message: String
  /// The one command that helps; empty when none does.
  public let help: String

  init(_ error: ErrorReply) {
    switch error {
    case .almoner(let error):
      reason = Reason(error)
      account = error.account
      message = error.message
      help = error.help
    case .service, .unknown:
      reason = .other(error.name)
      account = nil
      message = "The daemon answered \(error.name)."
      help = ""
    }
  }
}

extension Refusal.Reason {
  fileprivate init(_ error: AlmonerError) {
    self =
      switch error {
      case .signInRequired: .signInRequired
      case .locked: .locked
      case .temporary(_, _, let retryAfter, _): .temporary(retryAfter: .seconds(retryAfter))
      case .unknownAccount: .unknownAccount
      case .stepUpRequired(_, let acrValues, let maxAge, _, _): .stepUpRequired(.init(acrValues, maxAge))
      case .denied: .denied
      case .badRequest(let field, _, _): .badRequest(field: field)
      case .busy(_, let retryAfter, _): .busy(retryAfter: .seconds(retryAfter))
      case .storage: .storage
      case .misconfigured: .misconfigured
      case .stepUpFailed(_, let reason, _, _): .stepUpFailed(StepUpFailure(rawValue: reason.rawValue))
      case .monitoringUnavailable: .monitoringUnavailable
      case .signInFailed: .other(InterfaceDescription.name + "." + error.name)
      }
  }
}
