import Wire

/// Before anything is fetched: does the person mean this issuer?
struct IssuerQuestion {
  private let context: CommandContext
  private let manner: SignInManner

  init(_ context: CommandContext, _ manner: SignInManner) {
    self.context = context
    self.manner = manner
  }

  /// Returns when the issuer is expected, agreed to on the terminal, or accepted by `--yes`.
  func settle(_ registration: Wire.Registration?) throws(Failure) {
    let disclosure = IssuerDisclosure(
      issuer: registration?.issuer, publishableKey: registration?.publishableKey)
    guard case .unconfirmed(let text) = disclosure, !manner.agreesToAll else { return }
    let issuer = PlainText.line(text)
    guard context.console.canAsk else {
      throw Failure(
        .usage, code: "unconfirmed-issuer",
        "\(issuer) is not known here, and nobody can be asked about it: --yes accepts it")
    }
    context.console.note("This signs you in at \(context.console.emphasised(issuer)), which is not known here yet.")
    guard context.console.confirms("Do you mean this issuer?", otherwise: false) else {
      throw Failure(.denied, code: "declined", "not signed in: the issuer was declined")
    }
  }
}
