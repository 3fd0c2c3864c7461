import JSON

/// `almoner config check`: has the daemon's program read the configuration files as the daemon would.
struct ConfigCheckCommand: Command {
  static let syntax = CommandSyntax("config check", "Check the configuration files")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    let check = try ConfigurationCheck.run(context.environment)
    if context.wantsJSON {
      try context.answer { writer in
        writer.member("sound", check.isSound)
        writer.member("lines", strings: check.lines)
      }
    } else {
      try context.console.answer(check.lines.map { PlainText.line($0) + "\n" }.joined())
    }
    return check.isSound ? .ok : .failure
  }
}
