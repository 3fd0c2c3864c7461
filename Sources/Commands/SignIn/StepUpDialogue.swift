import LocalSocket
import Wire

/// A step-up: the daemon's stream beside the browser.
///
/// The connection is its life here: whoever interrupts the command closes it, and the daemon asks the issuer no more.
struct StepUpDialogue {
  /// Seconds: a step-up lives 30 minutes, and the daemon says so when it ends.
  static let within = 1860

  private let context: CommandContext
  private let opensBrowser: Bool

  init(_ context: CommandContext, opensBrowser: Bool) {
    self.context = context
    self.opensBrowser = opensBrowser
  }

  /// Returns how it ended well: approved, or not required.
  func run(_ parameters: Wire.StepUp.Parameters) throws(Failure) -> Wire.StepUp.Reply {
    var daemon = try context.daemon.open()
    try daemon.stream(Wire.StepUp.self, parameters)
    let deadline = Deadline(in: .seconds(Self.within))
    let (first, isLast) = try daemon.next(Wire.StepUp.self, by: deadline)
    if isLast { return try checked(first) }
    guard first.stage == .verify, let url = first.url else { throw Self.strange }
    let invitation = BrowserInvitation(context.console, url, "to prove who you are", there: "Prove there who you are")
    var browser = BrowserLauncher(BrowserChoice(url: url, context.environment), context.environment)
    invitation.show(browser.open(when: opensBrowser))
    while true {
      switch daemon.holdsReply ? .first : Readiness.wait(for: daemon.descriptor, nil, browser.ending) {
      case .first:
        let (reply, isLast) = try daemon.next(Wire.StepUp.self, by: deadline)
        if isLast { return try checked(reply) }
      case .second: continue
      case .third: if browser.review() == .failed { invitation.ask() }
      }
    }
  }

  /// Nothing but these two words is a good end: a stage of a later version is none.
  private func checked(_ reply: Wire.StepUp.Reply) throws(Failure) -> Wire.StepUp.Reply {
    guard reply.stage == .approved || reply.stage == .notRequired else { throw Self.strange }
    return reply
  }

  private static let strange = Failure(
    .failure, code: "protocol", "the daemon's answer is not understood: it is of another version",
    help: "almoner doctor")
}
