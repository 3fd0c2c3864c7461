import LocalSocket
import Secrets
import Wire

/// The sign-in itself: the daemon's stream beside the browser and the terminal.
///
/// The connection is the attempt's life: whoever interrupts the command closes it, and the daemon gives the attempt up.
struct SignInDialogue {
  /// Seconds: an attempt lives ten minutes, and the daemon says so when it ends.
  static let within = 660

  /// How it ended well.
  struct Outcome {
    let reply: Wire.SignIn.Reply
    /// The way the answer came, when it came to this command.
    let flow: String?
  }

  private let context: CommandContext
  private let manner: SignInManner

  init(_ context: CommandContext, _ manner: SignInManner) {
    self.context = context
    self.manner = manner
  }

  /// Who signed in.
  func run(_ parameters: Wire.SignIn.Parameters) throws(Failure) -> Outcome {
    var daemon = try context.daemon.open()
    try daemon.stream(Wire.SignIn.self, parameters)
    let deadline = Deadline(in: .seconds(Self.within))
    let (first, isLast) = try daemon.next(Wire.SignIn.self, by: deadline)
    guard !isLast, first.stage == .attempt else { return Outcome(reply: first, flow: nil) }
    if let code = first.userCode {
      return Outcome(reply: try DeviceSignIn(context).run(first, code: code, &daemon), flow: nil)
    }
    guard let url = first.url, let attempt = first.attempt else {
      return Outcome(reply: try join(&daemon, deadline), flow: nil)
    }
    let invitation = BrowserInvitation(context.console, url, "to sign in", there: "Sign in there")
    var browser = BrowserLauncher(BrowserChoice(url: url, context.environment), context.environment)
    invitation.show(browser.open(when: manner.opensBrowser))
    if let advice = RemoteBrowserAdvice(flow: first.flow, manner, context.environment) {
      context.console.note(advice.text)
    }
    var paste = PasteReader(context, flow: first.flow ?? manner.flow?.rawValue)
    defer { paste.close() }
    while true {
      switch daemon.holdsReply ? .first : Readiness.wait(for: daemon.descriptor, paste.descriptor, browser.ending) {
      case .first:
        let (reply, isLast) = try daemon.next(Wire.SignIn.self, by: deadline)
        guard isLast || reply.stage == .signedIn else { continue }
        return Outcome(reply: reply, flow: first.flow)
      case .second: try paste.take(attempt)
      case .third: if browser.review() == .failed { paste.aside(invitation.ask) }
      }
    }
  }

  /// Somebody else opened the attempt: the URL is theirs, the outcome everybody's.
  private func join(_ daemon: inout DaemonConnection, _ deadline: Deadline) throws(Failure) -> Wire.SignIn.Reply {
    context.console.note("A sign-in to this account is under way already; waiting for how it ends. Ctrl-C gives up.")
    while true {
      let (reply, isLast) = try daemon.next(Wire.SignIn.self, by: deadline)
      if isLast || reply.stage == .signedIn { return reply }
    }
  }
}
