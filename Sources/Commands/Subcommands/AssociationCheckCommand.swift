import Wire

/// `almoner association check`: asks a callback's owner whether it lists us. Advice only.
struct AssociationCheckCommand: Command {
  static let syntax = CommandSyntax(
    "association check", "Ask a callback's owner whether it lists you", operand: "DOMAIN", needsOperand: true)

  private let domain: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    domain = arguments.operand
    guard let domain, domain.utf8.count <= Wire.Limit.text else { throw UsageError("DOMAIN is missing or too long") }
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(
      Wire.CheckAssociation.self, Wire.CheckAssociation.Parameters(domain: domain),
      within: TimeoutOption.grace(over: TimeoutOption.standard))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      try context.console.answer(AssociationText.lines(reply))
    }
    if reply.state == AssociationText.unreachable { return .temporary }
    return reply.clients.allSatisfy(\.listed) ? .ok : .failure
  }
}
