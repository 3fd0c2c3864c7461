import CLinux
import Secrets
import Wire

/// Reads the redirected URL, which holds the code: from the terminal without showing it, or from standard input.
struct PasteReader {
  /// How often a wrong address may be followed by another one.
  static let tries = 3

  private let context: CommandContext
  private var triesLeft: Int
  private var isHidden = false

  init(_ context: CommandContext, isOpen: Bool) {
    self.context = context
    triesLeft = isOpen ? (context.console.canAsk ? Self.tries : 1) : 0
    if isOpen { ask() }
  }

  /// What to wait for; nil when nothing is read any more.
  var descriptor: Int32? { triesLeft > 0 ? context.console.input : nil }

  /// Reads one address and hands it in. A wrong one may be followed by another while there are tries.
  mutating func take(_ attempt: String) throws(Failure) {
    triesLeft -= 1
    let line = context.console.readSecretLine()
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

  /// Gives the terminal its echo back.
  mutating func close() {
    if isHidden { clinux_show_typing() }
    isHidden = false
  }

  private mutating func ask() {
    guard context.console.canAsk else { return }
    isHidden = clinux_hide_typing(context.console.input) == 0
    context.console.prompt("Then paste the address that the browser ends on, and press Enter:")
  }
}
