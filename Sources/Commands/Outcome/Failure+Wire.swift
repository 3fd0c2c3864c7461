package import Wire

extension Failure {
  /// What an error of the daemon means for a command.
  package init(_ error: ErrorReply, calling method: String = "") {
    switch error {
    case .almoner(let error): self.init(error, calling: method)
    case .service(let error):
      self.init(
        .failure, code: "protocol", "the daemon does not know this call (\(error.name)): it is of another version",
        help: "almoner doctor")
    case .unknown(let name):
      self.init(.failure, code: "unknown", "the daemon failed: \(PlainText.line(name))", help: "almoner doctor")
    }
  }

  /// What one of our own errors means for a command.
  package init(_ error: AlmonerError, calling method: String = "") {
    if case .badRequest(let field, let message, _) = error, let option = Self.option(for: field, method) {
      let subject = "\(field): "
      let what = message.hasPrefix(subject) ? message.dropFirst(subject.count) : message[...]
      self.init(
        .usage, code: "bad-request", "\(option): \(PlainText.line(String(what)))",
        help: option.hasPrefix("--") ? "almoner \(Self.commands[method] ?? "login") --help" : nil)
      return
    }
    let (status, code) = Self.meaning(of: error)
    // Not twice: the report starts with the account.
    let subject = error.account.map { $0 + ": " } ?? ""
    let message = error.message.hasPrefix(subject) ? error.message.dropFirst(subject.count) : error.message[...]
    self.init(
      status, code: code, account: error.account.map(PlainText.line), PlainText.line(String(message)),
      isTemporary: status == .temporary, help: PlainText.line(error.help))
  }

  /// What a person gave for a field that the daemon refused.
  private static let options = [
    "issuer": "--issuer", "kind": "--kind", "publishableKey": "--publishable-key", "clientId": "--client-id",
    "redirectUri": "--redirect-uri", "flow": "--flow", "scopes": "--scope", "store": "--store",
    "redirectedUrl": "the pasted address", "domain": "DOMAIN",
    "action": "--action", "amount": "--amount", "currency": "--currency", "returnTo": "--return-to",
    "acrValues": "--acr-values", "maxAge": "--max-age", "resource": "--resource", "minValid": "--min-valid",
    "timeout": "--timeout", "method": "--method", "url": "--url", "nonce": "--nonce", "account": "ACCOUNT",
    "passphrase": "the passphrase",
  ]

  /// What the same field is of another command.
  private static let registering = [
    "issuer": "ISSUER", "clientName": "--name", "clientSecretFile": "--client-secret-file",
    "initialAccessToken": "the initial access token",
  ]

  private static func option(for field: String, _ method: String) -> String? {
    (method == Wire.RegisterClient.name ? registering[field] : nil) ?? options[field]
  }

  /// The command that makes the call.
  private static let commands = [
    Wire.RegisterClient.name: "register", Wire.GetAccessToken.name: "token", Wire.GetDPoPProof.name: "proof",
    Wire.StepUp.name: "step-up", Wire.Refresh.name: "refresh",
  ]

  private static func meaning(of error: AlmonerError) -> (ExitStatus, String) {
    switch error {
    case .signInRequired: (.signInRequired, "sign-in-required")
    case .locked: (.locked, "locked")
    case .temporary: (.temporary, "temporary")
    // Nobody is signed in under that name: what helps is the same.
    case .unknownAccount: (.signInRequired, "unknown-account")
    case .stepUpRequired: (.stepUpRequired, "step-up-required")
    case .denied: (.denied, "denied")
    // No parameter is wrong: the account has no such thing.
    case .badRequest(field: "", _, _): (.failure, "bad-request")
    case .badRequest: (.usage, "bad-request")
    case .busy: (.temporary, "busy")
    case .storage: (.failure, "storage")
    case .misconfigured: (.failure, "misconfigured")
    case .signInFailed(let reason, _, _): (status(of: reason), "sign-in-\(PlainText.line(reason.rawValue))")
    case .monitoringUnavailable: (.failure, "monitoring-unavailable")
    case .stepUpFailed(_, let reason, _, _): (status(of: reason), "step-up-\(PlainText.line(reason.rawValue))")
    }
  }

  private static func status(of reason: SignInFailure) -> ExitStatus {
    switch reason {
    case .timeout, .portBusy, .expired: .temporary
    case .cancelled, .wrongPerson, .refused: .denied
    case _: .failure
    }
  }

  /// Declined: somebody said no. Expired: the same command, later. Cancelled: the proof is still wanted.
  private static func status(of reason: Wire.StepUpFailure) -> ExitStatus {
    switch reason {
    case .declined: .denied
    case .expired: .temporary
    case .cancelled: .stepUpRequired
    case .sessionEnded: .signInRequired
    case _: .failure
    }
  }
}
