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
    guard var failure = try attempt(nil) else { return }
    guard try wantsPassphrase(failure) else { throw failure }
    for turn in 1...Self.tries {
      guard let passphrase = context.console.secret("Passphrase:"), passphrase.count > 0 else { throw failure }
      guard passphrase.count <= Wire.Limit.passphrase else {
        context.console.note("That is too long.")
        continue
      }
      guard let next = try attempt(passphrase) else { return }
      failure = next
      if turn < Self.tries { context.console.note("That did not unlock it.") }
    }
    throw failure
  }

  /// Nil when it is open, else why it is still locked. Throws every other failure.
  private func attempt(_ passphrase: SecretBox?) throws(Failure) -> Failure? {
    var daemon = try context.daemon.open()
    do throws(Failure) {
      let parameters = Wire.Unlock.Parameters(account: account, passphrase: passphrase)
      _ = try daemon.call(Wire.Unlock.self, parameters, within: Self.within)
      return nil
    } catch {
      guard error.status == .locked else { throw error }
      return error
    }
  }

  /// Whether a passphrase may help: somebody can be asked, and a sealed file is among what is locked.
  private func wantsPassphrase(_ failure: Failure) throws(Failure) -> Bool {
    guard context.console.canAsk else { return false }
    var daemon = try context.daemon.open()
    let status = try daemon.call(Wire.Status.self, NoFields())
    return status.accounts.contains { known in
      known.store == "sealed-file" && known.state == .locked
        && (account == nil || [known.name, known.id, known.issuer].contains(account))
    }
  }
}
