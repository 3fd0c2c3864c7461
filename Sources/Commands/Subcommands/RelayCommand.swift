import JSON
import Wire

/// `almoner relay`: prints the page that an application's owner puts where an HTTPS redirect leads.
struct RelayCommand: Command {
  private static let redirect = Option(
    text: "--redirect-uri", "URI", "where the page will be: the redirect URI, as registered")

  static let syntax = CommandSyntax(
    "relay", "Print the page for an HTTPS redirect", options: [redirect.declaration.needed])

  private let redirect: RelayAddress

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let text = try arguments.value(Self.redirect) else { throw UsageError("--redirect-uri is missing") }
    guard let redirect = RelayAddress(text) else {
      throw UsageError("--redirect-uri must be an https URL with a host in lower case, and without query or fragment")
    }
    self.redirect = redirect
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    if context.wantsJSON {
      try context.answer { $0.member("page", RelayPage.html(for: redirect)) }
    } else {
      try context.console.answer(RelayPage.html(for: redirect))
    }
    return .ok
  }
}
