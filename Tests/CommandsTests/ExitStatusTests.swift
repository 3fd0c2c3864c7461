import Commands
import Testing
import Wire

@Suite struct ExitStatusTests {
  static let errors: [(AlmonerError, Int32, String)] = [
    (.signInRequired(account: "a", reason: "r", message: "m", help: "h"), 3, "sign-in-required"),
    (.locked(account: nil, message: "m", help: "h"), 4, "locked"),
    (.temporary(account: "a", message: "m", retryAfter: 1, help: "h"), 5, "temporary"),
    (.unknownAccount(account: "a", message: "m", help: "h"), 3, "unknown-account"),
    (.stepUpRequired(account: "a", acrValues: nil, maxAge: 7, message: "m", help: "h"), 8, "step-up-required"),
    (.denied(account: "a", message: "m", help: "h"), 6, "denied"),
    (.badRequest(field: "f", message: "m", help: "h"), 2, "bad-request"),
    (.badRequest(field: "", message: "m", help: "h"), 1, "bad-request"),
    (.busy(message: "m", retryAfter: 1, help: "h"), 5, "busy"),
    (.storage(account: "a", message: "m", help: "h"), 1, "storage"),
    (.misconfigured(account: "a", message: "m", help: "h"), 1, "misconfigured"),
    (.signInFailed(reason: .cancelled, message: "m", help: "h"), 6, "sign-in-cancelled"),
    (.signInFailed(reason: .timeout, message: "m", help: "h"), 5, "sign-in-timeout"),
    (.signInFailed(reason: .portBusy, message: "m", help: "h"), 5, "sign-in-port-busy"),
    (.signInFailed(reason: .wrongPerson, message: "m", help: "h"), 6, "sign-in-wrong-person"),
    (.signInFailed(reason: .refused, message: "m", help: "h"), 6, "sign-in-refused"),
    (.signInFailed(reason: SignInFailure(rawValue: "new"), message: "m", help: "h"), 1, "sign-in-new"),
    (.monitoringUnavailable(account: "a", message: "m", help: "h"), 1, "monitoring-unavailable"),
    (.stepUpFailed(account: "a", reason: .declined, message: "m", help: "h"), 6, "step-up-declined"),
    (.stepUpFailed(account: "a", reason: .expired, message: "m", help: "h"), 5, "step-up-expired"),
    (.stepUpFailed(account: "a", reason: .cancelled, message: "m", help: "h"), 8, "step-up-cancelled"),
    (.stepUpFailed(account: "a", reason: .sessionEnded, message: "m", help: "h"), 3, "step-up-session-ended"),
  ]

  @Test(arguments: errors)
  func `every error of the daemon has its status and word`(error: AlmonerError, status: Int32, code: String) {
    let failure = Failure(error)
    #expect(failure.status.rawValue == status && failure.code == code && failure.account == error.account)
  }

  @Test func `temporary is what may pass by itself`() {
    for (error, status, _) in Self.errors { #expect(Failure(error).isTemporary == (status == 5)) }
  }

  @Test func `the account is not said twice`() {
    let error = AlmonerError.locked(account: "work", message: "work: locked", help: "almoner unlock")
    #expect(Failure(error).report == "almoner: work: locked\n  Try: almoner unlock")
  }

  @Test func `a refused field is named as it was typed`() {
    let error = AlmonerError.badRequest(field: "redirectUri", message: "redirectUri: it is missing", help: "")
    #expect(Failure(error).report == "almoner: --redirect-uri: it is missing\n  Try: almoner login --help")
  }

  @Test(arguments: [
    ServiceError.methodNotFound("x"), .invalidParameter("x"), .interfaceNotFound("x"), .permissionDenied,
  ])
  func `an error of varlink means another version`(error: ServiceError) {
    #expect(Failure(.service(error)).status == .failure)
  }

  @Test func `text of a peer cannot move the cursor`() {
    let error = AlmonerError.denied(account: "a\u{1B}[2J", message: "m\nm", help: "h\u{202E}")
    #expect(!Failure(error).report.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test func `a report has the account, what happened, whether it passes and what helps`() {
    let failure = Failure(.temporary(account: "work", message: "offline", retryAfter: 1, help: "almoner status"))
    #expect(failure.report == "almoner: work: offline\n  This is temporary. Try: almoner status")
  }

  @Test(arguments: [
    ("", "no command is given"), ("nonsense", "there is no command 'nonsense'"),
    ("config", "'config' alone is no command; config check is"),
    ("https://a.example/?code=c", "almoner: there is no such command\n"),
    ("token --wrong", "unknown option --wrong"), ("token --header --json", "--header and --json cannot go together"),
    ("list x", "list takes no operand"), ("logout a --all", "ACCOUNT and --all cannot go together"),
    ("login --kind saml", "--kind must be didit or openid"), ("token --timeout 121", "--timeout must be from 1s to 2m"),
  ])
  func `a wrong command line ends with status 2 and the usage`(words: String, message: String) throws {
    let run = try CommandRun(words)
    #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(message))
    #expect(run.errors.contains("--json") || run.errors.contains("usage: almoner"))
  }

  @Test(
    arguments: [
      ("resource", Wire.GetAccessToken.name, "--resource", "almoner token --help"),
      ("scopes", Wire.GetAccessToken.name, "--scope", "almoner token --help"),
      ("scopes", Wire.SignIn.name, "--scope", "almoner login --help"),
      ("url", Wire.GetDPoPProof.name, "--url", "almoner proof --help"),
      ("timeout", Wire.Refresh.name, "--timeout", "almoner refresh --help"),
      ("account", Wire.GetAccessToken.name, "ACCOUNT", nil),
    ] as [(String, String, String, String?)])
  func `a refused field is called what the person typed`(
    field: String, method: String, option: String, help: String?
  ) {
    let failure = Failure(.badRequest(field: field, message: "\(field): not that", help: ""), calling: method)
    #expect(failure.message == "\(option): not that" && failure.help == help && failure.status == .usage)
  }

  @Test(arguments: CommandRegistry.all.map { $0.syntax.name })
  func `every command explains itself`(name: String) throws {
    let run = try CommandRun("\(name) --help")
    #expect(run.status == 0 && run.output.hasPrefix("usage: almoner \(name)") && run.errors.isEmpty)
  }

  @Test func `the help names every command`() throws {
    let help = try CommandRun("--help").output
    for command in CommandRegistry.all { #expect(help.contains("  \(command.syntax.name) ")) }
  }
}
