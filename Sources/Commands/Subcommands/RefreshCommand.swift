import Wire

/// `almoner refresh`: replaces the tokens now.
struct RefreshCommand: Command {
  static let syntax = CommandSyntax(
    "refresh", "Replace the tokens now", operand: AccountOperand.name, options: [TimeoutOption.option.declaration])

  private let account: String?
  private let timeout: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    account = try AccountOperand.read(arguments)
    timeout = try arguments.value(TimeoutOption.option) ?? TimeoutOption.standard
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(
      Wire.Refresh.self, Wire.Refresh.Parameters(account: account, timeout: Int64(timeout)),
      within: TimeoutOption.grace(over: timeout))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      let done = reply.refreshed ? "refreshed" : "not refreshed, because the last time is too recent"
      let life = DurationText.words(Int(reply.expiresIn))
      try context.console.answer(
        "\(PlainText.line(reply.account)): \(done); generation \(reply.generation), expires in \(life)\n")
    }
    return .ok
  }
}
