import Wire

/// `almoner status`: shows the daemon and every account.
struct StatusCommand: Command {
  static let syntax = CommandSyntax("status", "Show the daemon and every account")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let status = try daemon.call(Wire.Status.self, Wire.Status.Parameters())
    if context.wantsJSON {
      try context.answer(status)
    } else {
      try context.console.answer(Self.text(status))
    }
    return .ok
  }

  private static func text(_ status: Wire.Status.Reply) -> String {
    let memory = status.memoryLocked ? "memory locked" : "memory NOT locked"
    let confined = status.confined ? "children confined" : "children NOT fully confined (no Landlock here)"
    let lock = status.locked ? "locked" : "unlocked"
    var lines = ["almonerd \(PlainText.line(status.version)), pid \(status.pid): \(lock), \(memory), \(confined)"]
    lines += status.notes.map { "note: \(PlainText.line($0))" }
    var text = lines.map { $0 + "\n" }.joined()
    for account in status.accounts {
      text += "\n" + AccountText.table([account])
      text += AccountText.details(account).map { "  \($0)\n" }.joined()
    }
    return status.accounts.isEmpty ? text + "No accounts.\n" : text
  }
}
