import LocalSocket
import Wire

/// `almoner monitor`: prints what happens, as it happens, for as long as anybody reads it.
struct MonitorCommand: Command {
  static let syntax = CommandSyntax("monitor", "Print what happens, as it happens", operand: AccountOperand.name)

  private let account: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { account = try AccountOperand.read(arguments) }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    try daemon.stream(Wire.Monitor.self, Wire.Monitor.Parameters(account: account))
    while daemon.holdsReply || context.console.waits(for: daemon.descriptor) {
      let (event, isLast) = try daemon.next(Wire.Monitor.self, by: .never)
      if context.wantsJSON {
        try context.answer(event)
      } else {
        try context.console.answer(Self.line(event))
      }
      if isLast { return .ok }
    }
    return .ok
  }

  private static func line(_ event: Wire.Monitor.Reply) -> String {
    let parts = [
      event.event.rawValue, event.account, event.generation.map { "generation \($0)" }, event.detail,
    ]
    return parts.compactMap { $0.map(PlainText.line) }.joined(separator: "  ") + "\n"
  }
}
