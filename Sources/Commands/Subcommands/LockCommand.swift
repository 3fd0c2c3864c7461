import JSON
import Wire

/// `almoner lock`: forgets what is in memory.
struct LockCommand: Command {
  static let syntax = CommandSyntax("lock", "Forget tokens, keys and passphrases until the next unlock")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    // It waits for refreshes that are under way.
    _ = try daemon.call(Wire.Lock.self, NoFields(), within: 60)
    if context.wantsJSON {
      try context.answer { $0.member("locked", true) }
    } else {
      context.console.note("Locked.")
    }
    return .ok
  }
}
