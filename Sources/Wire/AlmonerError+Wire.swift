package import JSON

extension AlmonerError {
  /// The name, without the interface.
  package var name: String {
    switch self {
    case .signInRequired: "SignInRequired"
    case .locked: "Locked"
    case .temporary: "Temporary"
    case .unknownAccount: "UnknownAccount"
    case .stepUpRequired: "StepUpRequired"
    case .denied: "Denied"
    case .badRequest: "BadRequest"
    case .busy: "Busy"
    case .storage: "Storage"
    case .misconfigured: "Misconfigured"
    case .signInFailed: "SignInFailed"
    case .stepUpFailed: "StepUpFailed"
    case .monitoringUnavailable: "MonitoringUnavailable"
    }
  }

  /// Reads an error by its full name; nil when the name is none of ours.
  package init?(name: String, parameters: JSONObject) throws(JSONMemberError) {
    let prefix = InterfaceDescription.name + "."
    guard name.hasPrefix(prefix) else { return nil }
    let message = try parameters.string("message")
    let help = try parameters.string("help")
    let account = try parameters.string(ifPresent: "account")
    switch name.dropFirst(prefix.count) {
    case "SignInRequired":
      self = .signInRequired(
        account: try parameters.string("account"), reason: try parameters.string("reason"), message: message, help: help
      )
    case "Locked": self = .locked(account: account, message: message, help: help)
    case "Temporary":
      self = .temporary(account: account, message: message, retryAfter: try parameters.int("retryAfter"), help: help)
    case "UnknownAccount": self = .unknownAccount(account: account, message: message, help: help)
    case "StepUpRequired":
      self = .stepUpRequired(
        account: try parameters.string("account"), acrValues: try parameters.strings(ifPresent: "acrValues"),
        maxAge: try parameters.int(ifPresent: "maxAge"), message: message, help: help)
    case "Denied": self = .denied(account: account, message: message, help: help)
    case "BadRequest": self = .badRequest(field: try parameters.string("field"), message: message, help: help)
    case "Busy": self = .busy(message: message, retryAfter: try parameters.int("retryAfter"), help: help)
    case "Storage": self = .storage(account: account, message: message, help: help)
    case "Misconfigured": self = .misconfigured(account: account, message: message, help: help)
    case "SignInFailed":
      let reason = SignInFailure(rawValue: try parameters.string("reason"))
      self = .signInFailed(reason: reason, message: message, help: help)
    case "MonitoringUnavailable":
      self = .monitoringUnavailable(account: try parameters.string("account"), message: message, help: help)
    case "StepUpFailed":
      let reason = Wire.StepUpFailure(rawValue: try parameters.string("reason"))
      self = .stepUpFailed(account: try parameters.string("account"), reason: reason, message: message, help: help)
    default: return nil
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member("account", account)
    switch self {
    case .signInRequired(_, let reason, _, _): writer.member("reason", reason)
    case .stepUpRequired(_, let acrValues, let maxAge, _, _):
      writer.member("acrValues", strings: acrValues)
      writer.member("maxAge", maxAge)
    case .signInFailed(let reason, _, _): writer.member("reason", reason.rawValue)
    case .stepUpFailed(_, let reason, _, _): writer.member("reason", reason.rawValue)
    case .temporary(_, _, let retryAfter, _), .busy(_, let retryAfter, _): writer.member("retryAfter", retryAfter)
    case .badRequest(let field, _, _): writer.member("field", field)
    case .locked, .unknownAccount, .denied, .storage, .misconfigured, .monitoringUnavailable: break
    }
    writer.member("message", message)
    writer.member("help", help)
  }
}
