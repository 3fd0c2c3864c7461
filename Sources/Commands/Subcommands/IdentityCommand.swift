import Wire

/// `almoner identity`: shows who is signed in.
struct IdentityCommand: Command {
  static let syntax = CommandSyntax("identity", "Show who is signed in", operand: AccountOperand.name)

  private let account: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { account = try AccountOperand.read(arguments) }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(Wire.GetIdentity.self, Wire.GetIdentity.Parameters(account: account))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      let own = [("account", reply.account), ("issuer", reply.issuer), ("subject", ClaimText.subject(reply.subject))]
      let claims = reply.claims.filter { $0.name != "sub" || $0.value != reply.subject }
      try context.console.answer(ClaimText.lines(own.map(Wire.Claim.init) + claims))
    }
    return .ok
  }
}
