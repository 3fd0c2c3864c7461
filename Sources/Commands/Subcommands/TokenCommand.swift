import Wire

/// `almoner token`: prints an access token. The token goes from the daemon's frame to standard output in memory that is
/// wiped.
struct TokenCommand: Command {
  private static let minValid = Option(
    seconds: "--min-valid", in: Int(Wire.Limit.minValid.lowerBound)...Int(Wire.Limit.minValid.upperBound),
    "how long the token has to be good for")
  private static let force = Option(flag: "--force", "refresh even when it is not due")
  private static let scope = Option(
    text: "--scope", "S", "a token for this scope only, of those granted", repeats: true)
  private static let resource = Option(text: "--resource", "URI", "a token for this resource only")
  private static let header = Option(flag: "--header", "print it as an Authorization header")

  static let syntax = CommandSyntax(
    "token", "Print a valid access token", operand: AccountOperand.name,
    options: [
      minValid.declaration, force.declaration, scope.declaration, resource.declaration,
      TimeoutOption.option.declaration, header.declaration,
    ])

  private let parameters: Wire.GetAccessToken.Parameters
  private let timeout: Int
  private let isHeader: Bool

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
      resource: try arguments.value(Self.resource))
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(Wire.GetAccessToken.self, parameters, within: TimeoutOption.grace(over: timeout))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      try context.console.answer(reply.accessToken, after: isHeader ? "Authorization: Bearer " : "")
    }
    if !context.wantsJSON { remark(on: reply, context.console) }
    return .ok
  }

  /// What is different from what was asked.
  private func remark(on reply: Wire.GetAccessToken.Reply, _ console: Console) {
    let isSparing = parameters.force == true && !reply.refreshed
    guard isSparing || reply.shorter else { return }
    let account = PlainText.line(reply.account)
    if isSparing {
      console.note("almoner: \(account): not refreshed, because the last time is too recent")
    }
    if reply.shorter {
      let life = DurationText.words(Int(reply.expiresIn))
      console.note("almoner: \(account): the token lives only \(life), less than asked")
    }
  }
}
