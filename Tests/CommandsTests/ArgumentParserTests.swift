import Commands
import Testing

@Suite struct ArgumentParserTests {
  private enum Colour: String, CaseIterable, Sendable { case red, green }

  private static let wait = Option(seconds: "--wait", in: 1...120, "how long")
  private static let name = Option(text: "--name", "NAME", "who")
  private static let scope = Option(text: "--scope", "S", "what", repeats: true)
  private static let force = Option(flag: "--force", "even so")
  private static let colour = Option<Colour>(choice: "--colour", "COLOUR", "which")
  private static let syntax = CommandSyntax(
    "try", "Tries", operand: "ACCOUNT",
    options: [wait.declaration, name.declaration, scope.declaration, force.declaration, colour.declaration])

  private func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    guard case .run(let arguments) = try ArgumentParser.parse(words, Self.syntax) else { throw UsageError("help") }
    return arguments
  }

  @Test func `options stand before and after the operand`() throws {
    let arguments = try parse("--wait", "2m", "work", "--force")
    #expect(try arguments.operand == "work" && arguments.value(Self.wait) == 120 && arguments.has(Self.force))
  }

  @Test func `a value may follow an equals sign, and hold one`() throws {
    #expect(try parse("--name=a=b").value(Self.name) == "a=b")
  }

  @Test func `an option that repeats keeps its order`() throws {
    #expect(try parse("--scope", "openid", "--scope=email").all(Self.scope) == ["openid", "email"])
  }

  @Test func `two hyphens end the options`() throws {
    #expect(try parse("--", "--force").operand == "--force")
  }

  @Test func `a choice is one of its words`() throws {
    #expect(try parse("--colour", "green").value(Self.colour) == .green)
    #expect(throws: UsageError("--colour must be red or green")) { try self.parse("--colour=blue").value(Self.colour) }
  }

  @Test(arguments: ["-h", "--help"])
  func `help is asked for anywhere before the two hyphens`(word: String) throws {
    #expect(try ArgumentParser.parse(["work", word], Self.syntax) == .help)
  }

  @Test(arguments: [
    (["--unknown"], "unknown option --unknown"),
    (["--unknown=secret"], "unknown option --unknown"),
    (["--forc"], "unknown option --forc"),
    (["-f"], "unknown option -f"),
    (["--force=yes"], "--force takes no value"),
    (["--force", "--force"], "--force is given twice"),
    (["--name"], "--name needs a value"),
    (["--name", "--force"], "--name needs a value"),
    (["one", "two"], "only one ACCOUNT can be given"),
    ([""], "ACCOUNT must not be empty"),
    (["--", "one", "two"], "only one ACCOUNT can be given"),
  ])
  func `what does not fit is named`(words: [String], message: String) {
    #expect(throws: UsageError(message)) { try ArgumentParser.parse(words, Self.syntax) }
  }

  @Test func `a command without operand refuses one`() {
    #expect(throws: UsageError("bare takes no operand")) {
      try ArgumentParser.parse(["x"], CommandSyntax("bare", "Bare"))
    }
  }

  @Test(arguments: ["0", "121", "3m"])
  func `a duration outside its range is refused`(text: String) {
    #expect(throws: UsageError("--wait must be from 1s to 2m")) { try self.parse("--wait", text).value(Self.wait) }
  }

  @Test func `an empty text is refused`() {
    #expect(throws: UsageError("--name needs a value")) { try self.parse("--name=").value(Self.name) }
  }

  @Test(
    arguments: [
      ("step-up", "usage: almoner step-up [ACCOUNT] --action ACTION [--amount AMOUNT]"),
      ("proof", "usage: almoner proof [ACCOUNT] --url URL [--method METHOD]"),
      ("register", "usage: almoner register ISSUER "),
      ("relay", "usage: almoner relay --redirect-uri URI [--json]"),
      ("association check", "usage: almoner association check DOMAIN [--json]"),
      ("callback", "usage: almoner callback URL [--json]"),
    ])
  func `what a command needs stands without brackets`(name: String, line: String) throws {
    let syntax = try #require(CommandRegistry.all.map { $0.syntax }.first { $0.name == name })
    #expect(syntax.usageLine.hasPrefix(line))
  }

  @Test func `the usage line names the operand and every option`() {
    #expect(
      Self.syntax.usageLine
        == """
        usage: almoner try [ACCOUNT] [--wait DURATION] [--name NAME] [--scope S]…
                           [--force] [--colour COLOUR] [--json]
        """
    )
  }
}
