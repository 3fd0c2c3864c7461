import Wire

/// `almoner step-up`: proves more to the issuer before one sensitive action, in the person's own browser.
struct StepUpCommand: Command {
  private enum Action: String, CaseIterable, Sendable { case payout, bank, contact }

  private static let action = Option<Action>(
    choice: "--action", "ACTION", "what you are about to do: payout, bank or contact")
  private static let amount = Option(text: "--amount", "AMOUNT", "how much a payout is, as in 12.50")
  private static let currency = Option(text: "--currency", "CODE", "of which currency, as in EUR")
  private static let returnTo = Option(
    text: "--return-to", "URI", "where the browser ends, as registered; what it brings back there is not looked at")
  private static let noBrowser = Option(flag: "--no-browser", "print the address and open nothing")

  static let syntax = CommandSyntax(
    "step-up", "Prove more to the issuer before a sensitive action", operand: AccountOperand.name,
    options: [
      action.declaration.needed, amount.declaration, currency.declaration, returnTo.declaration, noBrowser.declaration,
    ])

  private let parameters: Wire.StepUp.Parameters
  private let opensBrowser: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let action = try arguments.value(Self.action) else {
      throw UsageError("--action is needed: \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    parameters = Wire.StepUp.Parameters(
      account: try AccountOperand.read(arguments), action: action.rawValue,
      amount: try arguments.value(Self.amount), currency: try arguments.value(Self.currency),
      returnTo: try arguments.value(Self.returnTo))
    opensBrowser = !arguments.has(Self.noBrowser)
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    let reply = try StepUpDialogue(context, opensBrowser: opensBrowser).run(parameters)
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      let outcome = reply.stage == .notRequired ? "nothing more to prove" : "approved"
      try context.console.answer("\(PlainText.line(reply.account)): \(outcome)\n")
    }
    return .ok
  }
}
