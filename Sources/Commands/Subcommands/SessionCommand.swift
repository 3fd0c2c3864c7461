import Wire

/// `almoner session`: asks the issuer whether the session is alive.
struct SessionCommand: Command {
  static let syntax = CommandSyntax(
    "session", "Ask the issuer whether the session is alive", operand: AccountOperand.name)

  private let account: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { account = try AccountOperand.read(arguments) }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(
      Wire.CheckSession.self, Wire.CheckSession.Parameters(account: account),
      within: TimeoutOption.grace(over: TimeoutOption.standard))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      let state = reply.active ? "active" : "not active"
      let age = reply.checkedAgo <= 1 ? "just now" : "\(DurationText.words(Int(reply.checkedAgo))) ago"
      let head = "\(PlainText.line(reply.account)): the session is \(state) (asked \(age))\n"
      try context.console.answer(head + ClaimText.lines(reply.claims))
      if !reply.active { context.console.note("  Try: almoner login \(PlainText.line(reply.account))") }
    }
    return reply.active ? .ok : .signInRequired
  }
}
