import Wire

/// After a sign-in that came back by HTTPS: does the callback's owner list us? Said, and nothing more.
struct AssociationAdvice {
  /// Seconds that the person waits for it at most.
  static let within = 15

  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Asks for an account's callback. A loopback redirect has no owner, and a daemon that cannot answer is no failure of
  /// the sign-in.
  func give(after outcome: SignInDialogue.Outcome) {
    switch outcome.flow.flatMap(SignInManner.Flow.init) {
    case .relay, .paste: break
    case .loopback, .device, nil: return
    }
    guard let account = outcome.reply.account, let reply = reply(account) else { return }
    var text = AssociationText.lines(reply)
    text.removeLast()
    context.console.note(text)
  }

  private func reply(_ account: String) -> Wire.CheckAssociation.Reply? {
    do throws(Failure) {
      var daemon = try context.daemon.open(.leave)
      return try daemon.call(
        Wire.CheckAssociation.self, Wire.CheckAssociation.Parameters(account: account), within: Self.within)
    } catch {
      return nil
    }
  }
}
