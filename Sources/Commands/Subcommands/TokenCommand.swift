import Wire

/// `almoner token`: prints an access token. The token goes from the daemon's frame to standard output in memory that is
/// wiped.
struct TokenCommand: Command {
  private static let minValid = Option(
    seconds: "--min-valid", in: Int(Wire.Limit.minValid.lowerBound)...Int(Wire.Limit.minValid.upperBound),
    "how long the token has to be good for")
  private static let force = Option(flag: "--force", "refresh even when it is not due")
  private static let scope = Option(
    text: "--scope", "S", "a token for this scope only; with --interactive it is asked for as well", repeats: true)
  private static let resource = Option(text: "--resource", "URI", "a token for this resource only")
  private static let acrValues = Option(
    text: "--acr-values", "LIST", "how you must have signed in, as a resource demanded; spaces between")
  private static let maxAge = Option(
    seconds: "--max-age", in: Int(Wire.Limit.maxAge.lowerBound)...Int(Wire.Limit.maxAge.upperBound),
    "how long ago you may have signed in, as a resource demanded")
  private static let interactive = Option(
    flag: "--interactive", "sign in anew, in your browser, when the last sign-in does not suffice")
  private static let header = Option(flag: "--header", "print it as an Authorization header")

  static let syntax = CommandSyntax(
    "token", "Print a valid access token", operand: AccountOperand.name,
    options: [
      minValid.declaration, force.declaration, scope.declaration, resource.declaration,
      acrValues.declaration, maxAge.declaration, interactive.declaration, TimeoutOption.option.declaration,
      header.declaration,
    ])

  private let parameters: Wire.GetAccessToken.Parameters
  private let timeout: Int
  private let isHeader: Bool
  private let isInteractive: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    timeout = try arguments.value(TimeoutOption.option) ?? TimeoutOption.standard
    isHeader = arguments.has(Self.header)
    guard !isHeader || !arguments.has(CommonOptions.json) else {
      throw UsageError("--header and --json cannot go together")
    }
    let scopes = try arguments.all(Self.scope)
    guard scopes.count <= Wire.Limit.list else { throw UsageError("--scope is given too often") }
    parameters = Wire.GetAccessToken.Parameters(
      account: try AccountOperand.read(arguments), minValid: try arguments.value(Self.minValid).map(Int64.init),
      force: arguments.has(Self.force), timeout: Int64(timeout), scopes: scopes.isEmpty ? nil : scopes,
      resource: try arguments.value(Self.resource),
      acrValues: try arguments.value(Self.acrValues)?.split(separator: " ").map(String.init),
      maxAge: try arguments.value(Self.maxAge).map(Int64.init))
    isInteractive = arguments.has(Self.interactive)
    guard !isInteractive || parameters.acrValues != nil || parameters.maxAge != nil else {
      throw UsageError("--interactive goes with --acr-values or --max-age")
    }
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    let reply = try token(context)
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      if isHeader, reply.tokenType.lowercased() == "dpop" {
        throw Failure(
          .failure, code: "bound-token",
          "\(PlainText.line(reply.account)): each request needs a proof beside the token",
          help: "almoner proof --url URL")
      }
      try context.console.answer(reply.accessToken, after: isHeader ? "Authorization: Bearer " : "")
    }
    if !context.wantsJSON { remark(on: reply, context.console) }
    return .ok
  }

  /// The token; when the sign-in behind it does not suffice and a browser may be opened, after a stronger one.
  private func token(_ context: CommandContext) throws(Failure) -> Wire.GetAccessToken.Reply {
    do throws(Failure) {
      return try call(parameters, context)
    } catch {
      guard isInteractive, error.status == .stepUpRequired else { throw error }
      let manner = SignInManner(opensBrowser: true, flow: nil, agreesToAll: true)
      // The daemon holds what comes against what was asked, once, as the sign-in ends: asking again could only differ by
      // the time that has passed since.
      let outcome = try SignInDialogue(context, manner).run(
        Wire.SignIn.Parameters(
          account: error.account ?? parameters.account, browser: BrowserPlace(context.environment)?.rawValue,
          locales: Locales.tags(context.environment),
          acrValues: parameters.acrValues, maxAge: parameters.maxAge, scopes: parameters.scopes))
      AssociationAdvice(context).give(after: outcome)
      return try call(
        Wire.GetAccessToken.Parameters(
          account: outcome.reply.account ?? parameters.account, minValid: parameters.minValid,
          timeout: parameters.timeout, scopes: parameters.scopes, resource: parameters.resource), context)
    }
  }

  private func call(
    _ parameters: Wire.GetAccessToken.Parameters, _ context: CommandContext
  ) throws(Failure) -> Wire.GetAccessToken.Reply {
    var daemon = try context.daemon.open()
    return try daemon.call(Wire.GetAccessToken.self, parameters, within: TimeoutOption.grace(over: timeout))
  }

  /// What is different from what was asked.
  private func remark(on reply: Wire.GetAccessToken.Reply, _ console: Console) {
    let isSparing = parameters.force == true && !reply.refreshed
    guard isSparing || reply.shorter else { return }
    let account = PlainText.line(reply.account)
    if isSparing {
      let why = reply.hindrance.map { ": \(PlainText.line($0))" } ?? ", because the last time is too recent"
      console.note("almoner: \(account): not refreshed\(why)")
    }
    if reply.shorter {
      let life = DurationText.words(Int(reply.expiresIn))
      console.note("almoner: \(account): the token lives only \(life), less than asked")
    }
  }
}
