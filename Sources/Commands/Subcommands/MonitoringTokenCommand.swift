import Wire

/// `almoner monitoring-token`: prints a device credential, as `token` prints an access token.
struct MonitoringTokenCommand: Command {
  static let syntax = CommandSyntax(
    "monitoring-token", "Print a credential for device monitoring", operand: AccountOperand.name)

  private let account: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { account = try AccountOperand.read(arguments) }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(
      Wire.GetMonitoringToken.self, Wire.GetMonitoringToken.Parameters(account: account),
      within: TimeoutOption.grace(over: 60))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      try context.console.answer(reply.monitoringToken, after: "")
    }
    return .ok
  }
}
