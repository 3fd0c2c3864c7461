import Wire

/// `almoner proof`: the header fields of one request with a token that is bound to a key.
struct ProofCommand: Command {
  private static let url = Option(text: "--url", "URL", "where the request goes")
  private static let method = Option(text: "--method", "METHOD", "its HTTP method (GET)")
  private static let nonce = Option(text: "--nonce", "NONCE", "the DPoP-Nonce that the resource answered with")

  static let syntax = CommandSyntax(
    "proof", "Print the header fields for one request with a bound token", operand: AccountOperand.name,
    options: [url.declaration.needed, method.declaration, nonce.declaration, TimeoutOption.option.declaration])

  private let parameters: Wire.GetDPoPProof.Parameters
  private let timeout: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let url = try arguments.value(Self.url) else { throw UsageError("--url is needed") }
    timeout = try arguments.value(TimeoutOption.option) ?? TimeoutOption.standard
    parameters = Wire.GetDPoPProof.Parameters(
      account: try AccountOperand.read(arguments), method: try arguments.value(Self.method) ?? "GET", url: url,
      nonce: try arguments.value(Self.nonce), timeout: Int64(timeout))
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var daemon = try context.daemon.open()
    let reply = try daemon.call(Wire.GetDPoPProof.self, parameters, within: TimeoutOption.grace(over: timeout))
    if context.wantsJSON {
      try context.answer(reply)
    } else {
      try context.console.answer(reply.token.accessToken, after: "Authorization: DPoP ")
      try context.console.answer(reply.proof, after: "DPoP: ")
    }
    return .ok
  }
}
