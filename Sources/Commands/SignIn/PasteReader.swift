import CLinux
import Secrets
import Wire

/// Reads the redirected URL, which holds the code: from the terminal without showing it, or from standard input.
struct PasteReader {
  /// How often a wrong address may be followed by another one.
  static let tries = 3

  /// Whether a paste is how the answer comes, or only helps when the relay page cannot hand it over.
  enum Need {
    case needed
    case welcome
    case none

    /// What the flow that the daemon names makes of it. A paste that is only welcome is for a person at a terminal.
    init(flow: String?, canAsk: Bool) {
      switch flow.flatMap(SignInManner.Flow.init) {
      case .paste: self = .needed
      case .relay where canAsk: self = .welcome
      case .relay, .loopback, .device, nil: self = .none
      }
    }
  }

  private let context: CommandContext
  private let need: Need
  private var triesLeft: Int
  private var isHidden = false
  /// Whether the question stands on the terminal's present line.
  private var isAsking = false

  init(_ context: CommandContext, flow: String?) {
    self.context = context
    need = Need(flow: flow, canAsk: context.console.canAsk)
    switch need {
    case .needed, .welcome:
      triesLeft = context.console.canAsk ? Self.tries : 1
      ask()
    case .none: triesLeft = 0
    }
  }

  /// What to wait for; nil when nothing is read any more.
  var descriptor: Int32? { triesLeft > 0 ? context.console.input : nil }

  /// Reads one address and hands it in. A wrong one may be followed by another while there are tries.
  mutating func take(_ attempt: String) throws(Failure) {
    triesLeft -= 1
    let line = context.console.readSecretLine()
    // The end of the line was shown, that of the input is not.
    isAsking = isAsking && line == nil
    close()
    guard let line, line.count > 0 else {
      throw Failure(.usage, code: "no-address", "no address was pasted")
    }
    guard line.count <= Wire.Limit.redirectedURL else {
      throw Failure(.usage, code: "no-address", "what was pasted is too long for an address")
    }
    var daemon = try context.daemon.open(.leave)
    do throws(Failure) {
      let parameters = Wire.CompleteSignIn.Parameters(attempt: attempt, redirectedUrl: line)
      _ = try daemon.call(Wire.CompleteSignIn.self, parameters, within: 60)
      triesLeft = 0
    } catch {
      guard triesLeft > 0, error.code == "bad-request" else { throw error }
      context.console.note(error.message)
      ask()
    }
  }

  /// Lets something be said that does not belong to the question, which is asked again after it.
  func aside(_ say: () -> Void) {
    if isAsking { context.console.note("") }
    say()
    if isAsking { prompt() }
  }

  /// Gives the terminal its echo back, and leaves the question's line.
  mutating func close() {
    if isHidden { clinux_show_typing() }
    isHidden = false
    if isAsking { context.console.note("") }
    isAsking = false
  }

  private mutating func ask() {
    guard context.console.canAsk else { return }
    isHidden = clinux_hide_typing(context.console.input) == 0
    isAsking = true
    prompt()
  }

  private func prompt() {
    context.console.prompt(
      need == .needed
        ? "Then paste the address that the browser ends on, and press Enter:"
        : "If the page cannot hand it over, paste here what it shows, and press Enter:")
  }
}
