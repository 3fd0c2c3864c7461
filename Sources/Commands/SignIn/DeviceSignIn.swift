import LocalSocket
import Wire

/// A sign-in on any device (RFC 8628): shows address and code, and the QR code of both where the terminal can, and waits.
///
/// Nothing is opened here: the browser is wherever the person is.
struct DeviceSignIn {
  /// Seconds that the daemon has beyond the code's life to say how it ended.
  static let grace: Int64 = 60
  /// Lines of text around the drawing.
  static let linesBeside = 10
  /// Milliseconds that the drawing may take.
  static let drawnWithin: Int32 = 2000
  /// The most bytes of a drawing: 177 lines of 177 digits.
  static let maximumDrawing = 64 << 10

  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Who signed in. `prompt` is the reply with the code.
  func run(
    _ prompt: Wire.SignIn.Reply, code: String, _ daemon: inout DaemonConnection
  ) throws(Failure) -> Wire.SignIn.Reply {
    if context.wantsJSON { try context.answer(prompt) } else { show(prompt, code) }
    let deadline = Deadline(in: .seconds((prompt.expiresIn ?? 0) + Self.grace))
    while true {
      let (reply, isLast) = try next(prompt, &daemon, deadline)
      if isLast || reply.stage == .signedIn { return reply }
    }
  }

  private func next(
    _ prompt: Wire.SignIn.Reply, _ daemon: inout DaemonConnection, _ deadline: Deadline
  ) throws(Failure) -> (reply: Wire.SignIn.Reply, isLast: Bool) {
    do throws(Failure) {
      return try daemon.next(Wire.SignIn.self, by: deadline)
    } catch {
      guard error.code == "sign-in-expired" else { throw error }
      let account = prompt.account.map { " \(PlainText.line($0))" } ?? ""
      throw Failure(
        error.status, code: error.code, account: error.account, error.message, isTemporary: error.isTemporary,
        help: "almoner login\(account) --flow device")
    }
  }

  private func show(_ prompt: Wire.SignIn.Reply, _ code: String) {
    let console = context.console
    let address = PlainText.line(prompt.verificationUri ?? "")
    let url = prompt.url.map(PlainText.line)
    console.note("To sign in, go on any device to:\n  \(address)")
    console.note("and enter the code:\n  \(console.emphasised(PlainText.line(code)))")
    if let url, url != address { console.note("This address has the code in it:\n  \(url)") }
    if let url, let drawing = drawing(of: url) { console.note(drawing) }
    let life = DurationText.words(Int(clamping: prompt.expiresIn ?? 0))
    console.note("The code is good for \(life). Waiting; Ctrl-C gives up.")
  }

  /// The QR code, where the terminal can show it and the program that makes it is installed.
  private func drawing(of url: String) -> String? {
    let console = context.console
    guard let screen = TerminalScreen(of: console.errors, context.environment), screen.isUTF8,
      let drawing = made(of: url).flatMap(QRDrawing.init), screen.fits(drawing, beside: Self.linesBeside)
    else { return nil }
    return drawing.text(coloured: console.isColoured)
  }

  /// The address goes through a pipe: who can look at command lines could enter the code as well.
  private func made(of url: String) -> String? {
    guard let path = SearchPath.sibling("almoner-qr") else { return nil }
    do {
      var given = try Pipe(), told = try Pipe()
      guard given.write(whole: url) else { return nil }
      var program = Program(path, [], environment: [])
      program.input = given.reading.number
      program.output = told.inheritable
      let child = try program.start()
      told.closeWriting()
      let bytes = told.readAll(limit: Self.maximumDrawing, idle: Self.drawnWithin)
      guard child.end(within: Self.drawnWithin) == .exited(0) else { return nil }
      return String(validating: bytes, as: UTF8.self)
    } catch {
      // The code in letters is there all the same.
      return nil
    }
  }
}
