import JSON
import Secrets
import Wire

/// `almoner register`: registers a client at an issuer (RFC 7591) and prints its configuration.
struct RegisterCommand: Command {
  private enum Kind: String, CaseIterable, Sendable { case openid, oauth }

  /// Seconds: the daemon gives up after 180, and says why.
  private static let within = 185

  private static let operand = "ISSUER"
  private static let kind = Option<Kind>(choice: "--kind", "KIND", "what the issuer speaks: openid or oauth")
  private static let redirect = Option(text: "--redirect-uri", "URI", "where the browser is to come back to")
  private static let name = Option(text: "--name", "NAME", "what the issuer's pages call the client (Almoner)")
  private static let scope = Option(text: "--scope", "S", "a scope that the client will ask for", repeats: true)
  private static let secretFile = Option(
    text: "--client-secret-file", "PATH", "register a client with a secret, and write it there")
  private static let registrationFile = Option(
    text: "--registration-file", "PATH", "write there what can change or remove the client later")
  private static let tokenFile = Option(
    text: "--token-file", "PATH", "the initial access token that the issuer wants is there")
  private static let tokenInput = Option(
    flag: "--token-stdin", "read the initial access token from the terminal or standard input")

  static let syntax = CommandSyntax(
    "register", "Register a client at an issuer, and print its configuration", operand: operand, needsOperand: true,
    options: [
      kind.declaration, redirect.declaration, name.declaration, scope.declaration, secretFile.declaration,
      registrationFile.declaration, tokenFile.declaration, tokenInput.declaration,
    ])

  private let issuer: String
  private let kind: Kind?
  private let redirectURI: String?
  private let name: String?
  private let scopes: [String]
  private let secretFile: String?
  private let registrationFile: String?
  private let token: InitialAccessToken.Source?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let issuer = arguments.operand, issuer.utf8.count <= Wire.Limit.text else {
      throw UsageError("\(Self.operand) is missing or too long")
    }
    self.issuer = issuer
    kind = try arguments.value(Self.kind)
    redirectURI = try arguments.value(Self.redirect)
    name = try arguments.value(Self.name)
    scopes = try arguments.all(Self.scope)
    guard scopes.count <= Wire.Limit.list else { throw UsageError("--scope is given too often") }
    secretFile = try arguments.value(Self.secretFile)
    registrationFile = try arguments.value(Self.registrationFile)
    let file = try arguments.value(Self.tokenFile)
    guard file == nil || !arguments.has(Self.tokenInput) else {
      throw UsageError("--token-file and --token-stdin cannot both be given")
    }
    token = arguments.has(Self.tokenInput) ? .standardInput : file.map { .file($0) }
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var token: SecretBox?
    if let source = self.token { token = try InitialAccessToken.read(source, context.console) }
    let path = try secretFile.map { (path) throws(Failure) in try KeptFile.absolute(path, of: "--client-secret-file") }
    var keeping = try RegistrationKeeping(secret: path, registration: registrationFile)
    var daemon = try context.daemon.open()
    let reply = try daemon.call(
      Wire.RegisterClient.self,
      Wire.RegisterClient.Parameters(
        issuer: issuer, kind: kind?.rawValue, redirectUri: redirectURI, clientName: name,
        scopes: scopes.isEmpty ? nil : scopes, clientSecretFile: path, management: registrationFile != nil,
        initialAccessToken: token),
      within: Self.within)
    let notes = reply.notes + (try keeping.keep(reply))
    if context.wantsJSON {
      try context.answer { Self.write(reply, notes, to: &$0) }
    } else {
      for note in notes { context.console.note(PlainText.line(note)) }
      let lines = reply.configuration.split(separator: "\n").map { PlainText.line(String($0)) + "\n" }
      try context.console.answer(lines.joined())
      context.console.note(Self.advice(PlainText.line(reply.name)))
    }
    return .ok
  }

  /// Everything but what is secret.
  private static func write(_ reply: Wire.RegisterClient.Reply, _ notes: [String], to writer: inout JSONWriter) {
    writer.member("issuer", reply.issuer)
    writer.member("name", reply.name)
    writer.member("clientId", reply.clientId)
    writer.member("redirectUri", reply.redirectUri)
    writer.member("scopes", strings: reply.scopes)
    writer.member("configuration", reply.configuration)
    writer.member("notes", strings: notes)
  }

  private static func advice(_ name: String) -> String {
    """
    Nothing of this was kept. Put it into a file of its own, such as ~/.config/almoner/almoner.conf.d/\(name).conf, then:
      almoner login --issuer \(name)
    """
  }
}
