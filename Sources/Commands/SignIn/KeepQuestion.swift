import Wire

/// After a first sign-in: is this the right person, and is the sign-in to be kept?
struct KeepQuestion {
  private let context: CommandContext
  private let manner: SignInManner

  init(_ context: CommandContext, _ manner: SignInManner) {
    self.context = context
    self.manner = manner
  }

  /// Signs out again, and throws ``ExitStatus/denied``, when the answer is no, or an interrupt instead of one. Another
  /// interrupt ends the waiting; the daemon signs out all the same.
  func settle(_ result: Wire.SignIn.Reply) throws(Failure) {
    guard result.isNew == true, !manner.agreesToAll, context.console.canAsk, let account = result.account else {
      return
    }
    guard !isKept(result, as: account) else { return }
    try discard(account)
  }

  private func isKept(_ result: Wire.SignIn.Reply, as account: String) -> Bool {
    let held = HeldInterrupts()
    let person = ClaimText.person(result.claims ?? [], subject: result.subject)
    context.console.note("Signed in as \(context.console.emphasised(person)).")
    return context.console.confirms(
      "Keep this sign-in as the account \(PlainText.line(account))?", otherwise: true, interruptedBy: held)
  }

  private func discard(_ account: String) throws(Failure) {
    let name = PlainText.line(account)
    var daemon = try context.daemon.open()
    let gone = try daemon.call(Wire.SignOut.self, Wire.SignOut.Parameters(account: account), within: 120).accounts
    let isWiped = gone.allSatisfy(\.wiped)
    throw Failure(
      .denied, code: "declined", account: name,
      isWiped ? "not kept: signed out again" : "not kept, but something is left to wipe until the store is unlocked",
      help: isWiped ? nil : "almoner unlock \(name)")
  }
}
