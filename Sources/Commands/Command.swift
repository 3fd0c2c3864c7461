/// One subcommand. A new one is one file and one line in ``CommandRegistry``.
package protocol Command: Sendable {
  static var syntax: CommandSyntax { get }

  /// Takes what it needs from the command line; throws before anything was done.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does it. Whatever is printed before a failure is thrown stays printed.
  func run(_ context: CommandContext) throws(Failure) -> ExitStatus
}
