import JSON
import Wire

/// `almoner unlock`: opens the stores again.
struct UnlockCommand: Command {
  static let syntax = CommandSyntax("unlock", "Unlock the daemon, or one account", operand: AccountOperand.name)

  private let account: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { account = try AccountOperand.read(arguments) }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    try Unlocking(context, account: account).run()
    if context.wantsJSON {
      try context.answer { $0.member("locked", false) }
    } else {
      context.console.note("Unlocked.")
    }
    return .ok
  }
}
