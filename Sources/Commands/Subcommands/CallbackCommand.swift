import Wire

/// `almoner callback`: what the desktop starts for an `almoner:` URL. Hands the response to the sign-in that waits for it.
///
/// Starts no daemon: one that does not run has no sign-in that waits.
struct CallbackCommand: Command {
  static let syntax = CommandSyntax(
    "callback", "Take a sign-in's answer from a relay page", operand: "URL", needsOperand: true)

  /// What is left of the URL here tells only that there was one.
  private let isGiven: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) { isGiven = arguments.operand != nil }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    let url = try (isGiven ? context.handedURL : .absent).redirectedURL(atMost: Wire.Limit.redirectedURL)
    var daemon = try context.daemon.open(.leave)
    let parameters = Wire.CompleteSignIn.Parameters(attempt: nil, redirectedUrl: url)
    let reply = try daemon.call(Wire.CompleteSignIn.self, parameters, within: 60)
    if context.wantsJSON { try context.answer(reply) }
    return .ok
  }
}
