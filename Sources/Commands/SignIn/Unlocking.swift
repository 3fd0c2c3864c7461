import Secrets
import Wire

/// The dialogue that opens a store: the keyring asks by itself, a sealed file's passphrase is asked for here.
struct Unlocking {
  /// How often a passphrase is asked for. The daemon lets more and more time pass before it tries one.
  static let tries = 3
  /// Seconds for one call: a person thinks before the keyring's prompt.
  static let within = 150

  private let context: CommandContext
  private let account: String?

  init(_ context: CommandContext, account: String?) {
    self.context = context
    self.account = account
  }

  /// Throws what the daemon last said when the store stays locked.
  func run() throws(Failure) {
    guard let failure = try attempt(nil) else { return }
    if failure.status == .denied, !hasDisplay { throw unseen(failure) }
    guard failure.status == .locked, try !sealedFiles().isEmpty else { throw failure }
    guard context.console.canAsk else { throw Self.unaskable }
    try askForPassphrase(failure)
  }

  /// Opens what a sign-in needs that ended with `failure`. A sealed file with no account in it yet gets its passphrase
  /// here.
  func run(after failure: Failure, isSealedFile: Bool) throws(Failure) {
    guard isSealedFile, try !status().accounts.contains(where: { $0.store == Self.sealedFile }) else {
      context.console.note(failure.message)
      return try run()
    }
    let passphrase = try choosePassphrase()
    if let failure = try attempt(passphrase) { throw failure }
  }

  private static let sealedFile = "sealed-file"

  private static let unaskable = Failure(
    .locked, code: "no-passphrase",
    "the passphrase of the sealed file is asked for on a terminal, and standard input and standard error are not one; "
      + "where nobody can type it, use a key file: key-file= under [store] in almoner.conf")

  private var hasDisplay: Bool { ["DISPLAY", "WAYLAND_DISPLAY"].contains { context.environment[$0] != nil } }

  /// Without a passphrase only a prompt is denied, and where there is no display hardly by a person.
  private func unseen(_ failure: Failure) -> Failure {
    Failure(
      failure.status, code: failure.code, account: failure.account,
      "the keyring's prompt ended without an answer, and there is no display here to show it on (DISPLAY, "
        + "WAYLAND_DISPLAY); unlock the keyring in your desktop, or as its own manual says: GNOME's reads its password "
        + "from gnome-keyring-daemon --unlock")
  }

  private func askForPassphrase(_ first: Failure) throws(Failure) {
    var failure = first
    for turn in 1...Self.tries {
      guard let passphrase = context.console.secret("Passphrase:"), passphrase.count > 0 else { throw failure }
      guard let next = try attempt(passphrase) else { return }
      failure = next
      if turn < Self.tries { context.console.note("That did not unlock it.") }
    }
    throw failure
  }

  private func choosePassphrase() throws(Failure) -> SecretBox {
    context.console.note("The sealed file is new. Choose a passphrase for it; nobody can recover it.")
    guard let first = context.console.secret("New passphrase:"), first.count > 0 else {
      throw Self.unchosen("none was given")
    }
    guard let second = context.console.secret("Once more:"), first.isEqual(to: second) else {
      throw Self.unchosen("the two are different")
    }
    return first
  }

  private static func unchosen(_ why: String) -> Failure {
    Failure(.locked, code: "no-passphrase", "no passphrase is set: \(why)")
  }

  /// Nil when it is open, else why it is still locked. Throws every other failure.
  private func attempt(_ passphrase: SecretBox?) throws(Failure) -> Failure? {
    if let passphrase, passphrase.count > Wire.Limit.passphrase {
      return Failure(.locked, code: "no-passphrase", "the passphrase is too long")
    }
    var daemon = try context.daemon.open()
    do throws(Failure) {
      let parameters = Wire.Unlock.Parameters(account: account, passphrase: passphrase)
      _ = try daemon.call(Wire.Unlock.self, parameters, within: Self.within)
      return nil
    } catch {
      // A wrong passphrase is denied.
      guard error.status == .locked || error.status == .denied else { throw error }
      return error
    }
  }

  private func status() throws(Failure) -> Wire.Status.Reply {
    var daemon = try context.daemon.open()
    return try daemon.call(Wire.Status.self, Wire.Status.Parameters())
  }

  /// The accounts that a passphrase may help. Their state does not tell: of one that is not loaded nothing is known.
  private func sealedFiles() throws(Failure) -> [Wire.Account] {
    try status().accounts.filter { known in
      known.store == Self.sealedFile
        && (account == nil || [known.name, known.id, known.issuer].contains(account))
    }
  }
}
