import Vault
import Wire

extension ErrorReply {
  /// A vault's error in the words of the interface: what happened, whether it passes, and the one command that helps.
  init(_ error: VaultError) { self = .almoner(Self.almoner(error)) }

  /// What happened, for a reply that names its account elsewhere.
  static func words(_ error: VaultError) -> String {
    let error = almoner(error)
    let message = error.message
    let subject = subject(error.account)
    return message.hasPrefix(subject) ? String(message.dropFirst(subject.count)) : message
  }

  private static func almoner(_ error: VaultError) -> AlmonerError {
    switch error {
    case .signInRequired(let account, let reason):
      .signInRequired(
        account: account, reason: reason.rawValue, message: "\(account): \(reason.sentence)",
        help: "almoner login \(account)")
    case .locked(let account):
      .locked(
        account: account, message: "\(subject(account))\(account == nil ? "a" : "its") store is locked",
        help: "almoner unlock")
    case .temporary(let account, let message, let retryAfter):
      .temporary(
        account: account, message: "\(subject(account))\(message)", retryAfter: Int64(retryAfter), help: "")
    case .unknownAccount(let account):
      .unknownAccount(
        account: account, message: account.map { "no account is called \($0)" } ?? "nobody is signed in",
        help: account == nil ? "almoner login --publishable-key KEY, or --issuer NAME" : "almoner list")
    case .badRequest(let field, let message): .badRequest(field: field, message: "\(field): \(message)", help: "")
    case .unsupported(let account, let message):
      .badRequest(field: "", message: "\(account): \(message)", help: "")
    case .storage(let account, let message):
      .storage(
        account: account, message: "\(subject(account))the store cannot be used: \(message)", help: "almoner doctor")
    case .misconfigured(let account, let message):
      .misconfigured(
        account: account, message: "\(subject(account))\(message)\(account == nil ? "" : "; the tokens are kept")",
        help: "almoner config check")
    case .denied(let account, let message):
      .denied(account: account, message: "\(subject(account))\(message)", help: "")
    case .signInFailed(let failure, let message):
      .signInFailed(reason: SignInFailure(rawValue: failure.rawValue), message: message, help: "")
    case .stepUpRequired(let account, let challenge, let why):
      .stepUpRequired(
        account: account, acrValues: challenge.acrValues.isEmpty ? nil : challenge.acrValues,
        maxAge: challenge.maxAge, message: "\(account): a sign-in that proves more is asked for: \(why)",
        help: challenge.command(account))
    case .monitoringUnavailable(let account):
      .monitoringUnavailable(
        account: account, message: "\(account): the issuer has not enabled device monitoring for this application",
        help: "")
    case .stepUpFailed(let account, let failure):
      .stepUpFailed(
        account: account, reason: Wire.StepUpFailure(rawValue: failure.rawValue),
        message: "\(account): \(failure.sentence)", help: failure.help(account))
    }
  }

  static func subject(_ account: String?) -> String { account.map { "\($0): " } ?? "" }
}

extension SignInReason {
  fileprivate var sentence: String {
    switch self {
    case .refused: "the issuer says that the session is over"
    case .lost: "the answer to a refresh was lost after the issuer had spent the old token"
    case .uncertain: "it is not known whether the last refresh was done, and trying again could end more than it"
    case .rolledBack: "the store holds older tokens than were seen before"
    case .otherMachine: "the stored tokens were made for another machine or user"
    case .damaged: "what is stored, or its journal, cannot be read; it was left as it is"
    case .missing: "the store holds nothing for this account"
    case .cannotRenew: "the access token ran out, and the issuer granted no refresh token"
    case .unverified: "the tokens that came failed their checks; they are stored and not served"
    }
  }
}

extension StepUpFailure {
  fileprivate var sentence: String {
    switch self {
    case .declined: "the step-up was declined"
    case .expired: "nobody finished the step-up within 30 minutes"
    case .cancelled: "the step-up was cancelled in the browser"
    case .sessionEnded: "the step-up ended with its session"
    }
  }

  fileprivate func help(_ account: String) -> String {
    switch self {
    // The same command again, which only the caller knows.
    case .declined, .expired, .cancelled: ""
    case .sessionEnded: "almoner login \(account)"
    }
  }
}

extension AuthenticationChallenge {
  /// The command that does what is asked. Values that a shell would read otherwise are left to the caller, who knows them.
  fileprivate func command(_ account: String) -> String {
    let isPlain = acrValues.allSatisfy { value in
      value.utf8.allSatisfy { unit in
        switch unit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"): true
        case _: false
        }
      }
    }
    guard isPlain else { return "almoner token --help" }
    let acr = acrValues.isEmpty ? "" : " --acr-values '\(acrValues.joined(separator: " "))'"
    return "almoner token \(account)\(acr)\(maxAge.map { " --max-age \($0)s" } ?? "") --interactive"
  }
}
