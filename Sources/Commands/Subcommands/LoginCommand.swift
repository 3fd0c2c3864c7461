import Wire

/// `almoner login`: signs in, in the person's own browser.
struct LoginCommand: Command {
  private enum Kind: String, CaseIterable, Sendable { case didit, openid, oauth }
  private enum Store: String, CaseIterable, Sendable {
    case secretService = "secret-service"
    case sealedFile = "sealed-file"
  }

  private static let issuer = Option(text: "--issuer", "NAME|URL", "who signs you in: a configured name, or a URL")
  private static let kind = Option<Kind>(choice: "--kind", "KIND", "what the issuer speaks: didit, openid or oauth")
  private static let key = Option(text: "--publishable-key", "KEY", "a Didit application's publishable key")
  private static let client = Option(text: "--client-id", "ID", "what the issuer calls this client")
  private static let redirect = Option(text: "--redirect-uri", "URI", "where the browser comes back to, as registered")
  private static let scope = Option(text: "--scope", "S", "ask for this scope", repeats: true)
  private static let noBrowser = Option(flag: "--no-browser", "print the address and open nothing")
  private static let flow = Option<SignInManner.Flow>(
    choice: "--flow", "FLOW", "how the answer comes: loopback, relay, device or paste")
  private static let paste = Option(
    flag: "--paste", "short for --flow paste: paste the address that the browser ends on")
  private static let yes = Option(flag: "--yes", "accept a new issuer and keep the sign-in without asking")
  private static let store = Option<Store>(choice: "--store", "STORE", "secret-service or sealed-file")

  static let syntax = CommandSyntax(
    "login", "Sign in, in your browser", operand: AccountOperand.name,
    options: [
      issuer.declaration, kind.declaration, key.declaration, client.declaration, redirect.declaration,
      scope.declaration, noBrowser.declaration, flow.declaration, paste.declaration, yes.declaration,
      store.declaration,
    ])

  private let account: String?
  private let registration: Wire.Registration?
  private let manner: SignInManner

  init(_ arguments: ParsedArguments) throws(UsageError) {
    account = try AccountOperand.read(arguments)
    let scopes = try arguments.all(Self.scope)
    guard scopes.count <= Wire.Limit.list else { throw UsageError("--scope is given too often") }
    let given = Wire.Registration(
      issuer: try arguments.value(Self.issuer), kind: try arguments.value(Self.kind)?.rawValue,
      publishableKey: try arguments.value(Self.key), clientId: try arguments.value(Self.client),
      redirectUri: try arguments.value(Self.redirect), scopes: scopes.isEmpty ? nil : scopes,
      store: try arguments.value(Self.store)?.rawValue)
    registration = given == Wire.Registration() ? nil : given
    manner = SignInManner(
      opensBrowser: !arguments.has(Self.noBrowser), flow: try Self.flow(arguments),
      agreesToAll: arguments.has(Self.yes))
  }

  private static func flow(_ arguments: ParsedArguments) throws(UsageError) -> SignInManner.Flow? {
    let given = try arguments.value(flow)
    guard arguments.has(paste) else { return given }
    guard given == nil || given == .paste else { throw UsageError("--paste is --flow paste, and no other flow") }
    return .paste
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    try IssuerQuestion(context, manner).settle(registration)
    let parameters = Wire.SignIn.Parameters(
      account: account, registration: registration, flow: manner.flow?.rawValue,
      browser: BrowserPlace(context.environment)?.rawValue, locales: Locales.tags(context.environment))
    let outcome = try signIn(parameters, context)
    let result = outcome.reply
    tellOtherName(result, context)
    try KeepQuestion(context, manner).settle(result)
    // Not before it is kept: nobody should wait for a site first.
    AssociationAdvice(context).give(after: outcome)
    if context.wantsJSON {
      try context.answer(result)
    } else {
      try context.console.answer(Self.line(result))
    }
    return .ok
  }

  /// One person at one issuer is one account: who signs in under a second name finds the first one renewed.
  private func tellOtherName(_ result: Wire.SignIn.Reply, _ context: CommandContext) {
    guard let account, let name = result.account, name != account, result.isNew == false else { return }
    context.console.note(
      "This person was signed in at this issuer already, as \(PlainText.line(name)); that account was renewed.")
  }

  /// Signs in; when the store turns out to be locked and somebody can be asked, after it was opened.
  private func signIn(
    _ parameters: Wire.SignIn.Parameters, _ context: CommandContext
  ) throws(Failure) -> SignInDialogue.Outcome {
    let dialogue = SignInDialogue(context, manner)
    do throws(Failure) {
      return try dialogue.run(parameters)
    } catch {
      guard error.status == .locked, context.console.canAsk else { throw error }
      let isSealedFile = registration?.store == Store.sealedFile.rawValue
      try Unlocking(context, account: nil).run(after: error, isSealedFile: isSealedFile)
      do throws(Failure) {
        return try dialogue.run(parameters)
      } catch {
        // The configuration may have chosen the sealed file.
        guard error.status == .locked, !isSealedFile else { throw error }
        try Unlocking(context, account: nil).run(after: error, isSealedFile: true)
        return try dialogue.run(parameters)
      }
    }
  }

  private static func line(_ result: Wire.SignIn.Reply) -> String {
    let person = ClaimText.person(result.claims ?? [], subject: result.subject)
    let issuer = result.issuer.map { " at \(PlainText.line($0))" } ?? ""
    return "\(PlainText.line(result.account ?? "")): signed in as \(person)\(issuer)\n"
  }
}
