import Glibc
import LocalSocket
import Secrets
import Wire

/// What `almoner doctor` looks at, one thing after the other.
struct Diagnosis {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func findings() -> [Finding] {
    [socket()] + daemon() + [configuration(), browser()]
  }

  private func socket() -> Finding {
    do {
      let path = try SocketPath.find(user: getuid()) { context.environment[$0] }
      return .well("socket", path.text + (path.isExplicit ? " (ALMONER_SOCKET)" : ""))
    } catch {
      return .amiss("runtime directory", "\(error)")
    }
  }

  private func daemon() -> [Finding] {
    do throws(Failure) {
      var daemon = try context.daemon.open(.leave)
      return DaemonFindings(try daemon.call(Wire.Status.self, Wire.Status.Parameters(strays: true), within: 10)).all
    } catch {
      guard error.code == "no-daemon" else { return [.amiss("daemon", error.message)] }
      return [absence(error), memory()]
    }
  }

  private func absence(_ failure: Failure) -> Finding {
    if context.environment["ALMONER_SOCKET"] != nil { return .amiss("daemon", failure.message) }
    guard SearchPath.sibling("almonerd") != nil else {
      return .amiss("daemon", "\(failure.message), and almonerd is not installed beside almoner")
    }
    return .well("daemon", "none runs now (\(failure.message)); the next command starts one")
  }

  /// What the limit allows a daemon of this person, tried here.
  private func memory() -> Finding {
    SecretArena.shared.isLocked
      ? .well("locked memory", "the limit is enough")
      : .amiss("locked memory", "the limit is below 4 MiB (ulimit -l): secrets could be written to swap")
  }

  private func configuration() -> Finding {
    do throws(Failure) {
      let check = try ConfigurationCheck.run(context.environment)
      return check.isSound ? .well("configuration", "sound") : .amiss("configuration", check.lines.first ?? "not sound")
    } catch {
      return .amiss("configuration", error.message)
    }
  }

  private func browser() -> Finding {
    let names = BrowserChoice(url: "", context.environment).commands.compactMap(\.first)
    guard let name = names.first(where: { SearchPath.find($0, context.environment) != nil }) else {
      return .well("browser", "none is found: almoner login prints the address to open")
    }
    return .well("browser", name)
  }
}
