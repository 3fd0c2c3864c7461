import Glibc
import LocalSocket
import Secrets
import Wire

/// What `almoner doctor` looks at, one thing after the other.
struct Diagnosis {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func findings() -> [Finding] {
    let socket = socket(), (daemon, accounts) = daemon(startsIn: socket.isWell), check = Result(catching: check)
    let bus = SessionBus.finding(context.environment, isNeeded: Self.needsKeyring(accounts, check))
    return [socket] + daemon + [bus, Self.configuration(check), browser()]
  }

  private func socket() -> Finding {
    let path: SocketPath
    do { path = try SocketPath.find(user: getuid()) { context.environment[$0] } } catch {
      return .amiss(
        "runtime directory",
        "\(error): log in to a session, or set XDG_RUNTIME_DIR to a directory that only you can enter")
    }
    if path.isExplicit { return .well("socket", "\(path.text) (ALMONER_SOCKET)") }
    do { try path.examine(owner: getuid()) } catch {
      return .amiss("runtime directory", "\(error): set XDG_RUNTIME_DIR to a directory of yours with mode 0700")
    }
    return .well("socket", path.text)
  }

  /// What there is to say of the daemon, and the accounts that it knows.
  private func daemon(startsIn isPlaceWell: Bool) -> (findings: [Finding], accounts: [Wire.Account]) {
    do throws(Failure) {
      var daemon = try context.daemon.open(.leave)
      let status = try daemon.call(Wire.Status.self, Wire.Status.Parameters(strays: true), within: 10)
      return (DaemonFindings(status).all, status.accounts)
    } catch {
      guard error.code == "no-daemon" else { return ([.amiss("daemon", error.message)], []) }
      return ([absence(error, isPlaceWell), memory()], [])
    }
  }

  private func absence(_ failure: Failure, _ isPlaceWell: Bool) -> Finding {
    if context.environment["ALMONER_SOCKET"] != nil || !isPlaceWell { return .amiss("daemon", failure.message) }
    guard SearchPath.sibling("almonerd") != nil else {
      return .amiss("daemon", "\(failure.message), and almonerd is not installed beside almoner")
    }
    if let lock = StateLock(context.environment), lock.isHeld {
      return .amiss(
        "daemon",
        "\(failure.message), but another daemon holds \(lock.directory): end it, or use the XDG_RUNTIME_DIR that it "
          + "was started with")
    }
    return .well("daemon", "none runs now (\(failure.message)); the next command starts one")
  }

  /// What the limit allows a daemon of this person, tried here.
  private func memory() -> Finding {
    SecretArena.shared.isLocked
      ? .well("locked memory", "the limit is enough")
      : .amiss("locked memory", "the limit is below 4 MiB (ulimit -l): secrets could be written to swap")
  }

  private func check() throws(Failure) -> ConfigurationCheck { try ConfigurationCheck.run(context.environment) }

  private static func configuration(_ check: Result<ConfigurationCheck, Failure>) -> Finding {
    switch check {
    case .success(let check) where check.isSound: .well("configuration", "sound")
    case .success(let check): .amiss("configuration", check.lines.first ?? "not sound")
    case .failure(let failure): .amiss("configuration", failure.message)
    }
  }

  /// An account is in the keyring, or new ones go there as far as can be told.
  private static func needsKeyring(_ accounts: [Wire.Account], _ check: Result<ConfigurationCheck, Failure>) -> Bool {
    if accounts.contains(where: { $0.store != "sealed-file" }) { return true }
    guard case .success(let check) = check else { return accounts.isEmpty }
    return !check.keepsNewAccountsInFile
  }

  private func browser() -> Finding {
    let names = BrowserChoice(url: "", context.environment).commands.compactMap(\.first)
    guard let name = names.first(where: { SearchPath.find($0, context.environment) != nil }) else {
      return .well("browser", "none is found: almoner login prints the address to open")
    }
    return .well("browser", name)
  }
}
