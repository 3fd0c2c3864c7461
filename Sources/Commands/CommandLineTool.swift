/// `almoner`: from the words of its command line to its exit status.
package struct CommandLineTool: Sendable {
  private let console: Console
  private let environment: Environment
  private let daemon: DaemonDoor
  private let handedURL: HandedURL

  package init(console: Console, environment: Environment, daemon: DaemonDoor, handedURL: HandedURL = .absent) {
    self.console = console
    self.environment = environment
    self.daemon = daemon
    self.handedURL = handedURL
  }

  /// Runs the command that `words`, without the program's name, ask for.
  package func run(_ words: [String]) -> ExitStatus {
    do throws(Failure) {
      return try dispatch(words)
    } catch {
      report(error, inJSON: Self.asksForJSON(words))
      return error.status
    }
  }

  private func dispatch(_ words: [String]) throws(Failure) -> ExitStatus {
    switch words.first {
    case "-h", "--help", "help":
      try console.answer(CommandRegistry.help)
      return .ok
    case "-V", "--version": return try run(VersionCommand.self, Array(words.dropFirst()))
    case nil: throw Self.usage("no command is given", "usage: almoner COMMAND [ACCOUNT] [OPTION]…", "almoner --help")
    case _: break
    }
    guard let (command, rest) = CommandRegistry.find(words) else {
      throw Self.usage(Self.unknown(words), "usage: almoner COMMAND [ACCOUNT] [OPTION]…", "almoner --help")
    }
    return try run(command, rest)
  }

  private func run(_ command: any Command.Type, _ words: [String]) throws(Failure) -> ExitStatus {
    let syntax = command.syntax
    let prepared: (command: any Command, wantsJSON: Bool)?
    do throws(UsageError) {
      switch try ArgumentParser.parse(words, syntax) {
      case .help: prepared = nil
      case .run(let arguments): prepared = (try command.init(arguments), arguments.has(CommonOptions.json))
      }
    } catch {
      throw Self.usage(error.message, syntax.usageLine, "almoner \(syntax.name) --help")
    }
    guard let prepared else {
      try console.answer(syntax.help)
      return .ok
    }
    let context = CommandContext(
      console: console, environment: environment, daemon: daemon, wantsJSON: prepared.wantsJSON,
      handedURL: handedURL)
    return try prepared.command.run(context)
  }

  /// Shows only what has the look of a command: somebody may have pasted an address or a secret.
  private static func unknown(_ words: [String]) -> String {
    let first = words[0]
    if let known = CommandRegistry.all.map({ $0.syntax.name }).first(where: { $0.hasPrefix(first + " ") }) {
      return "'\(first)' alone is no command; \(known) is"
    }
    let isWord =
      (1...24).contains(first.utf8.count) && first.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    return isWord ? "there is no command '\(first)'" : "there is no such command"
  }

  private static func usage(_ message: String, _ line: String, _ help: String) -> Failure {
    Failure(.usage, code: "usage", "\(message)\n\(line)", help: help)
  }

  private func report(_ failure: Failure, inJSON: Bool) {
    inJSON ? console.note(failure) : console.note(failure.report)
  }

  /// Whether a failure is wanted in JSON: as far as it can be told when the words were not understood.
  private static func asksForJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains(CommonOptions.json.declaration.name)
  }
}
