import Wire

/// `almoner list`: lists the accounts.
struct ListCommand: Command {
  static let syntax = CommandSyntax("list", "List the accounts")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(Wire.List.self, NoFields())
    if context.wantsJSON {
      try context.answer(reply)
    } else if reply.accounts.isEmpty {
      context.console.note("No accounts. Sign in with: almoner login --publishable-key KEY, or --issuer NAME")
    } else {
      try context.console.answer(AccountText.table(reply.accounts))
    }
    return .ok
  }
}
