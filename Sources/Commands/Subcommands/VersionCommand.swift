import JSON

/// `almoner version`.
struct VersionCommand: Command {
  static let syntax = CommandSyntax("version", "Show the version")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    if context.wantsJSON {
      try context.answer { $0.member("version", Release.version) }
    } else {
      try context.console.answer("almoner \(Release.version)\n")
    }
    return .ok
  }
}
