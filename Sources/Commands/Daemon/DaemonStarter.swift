import CLinux
import Glibc
package import LocalSocket

/// Starts the daemon of a person for whom none runs, so that of many commands at once only one does.
///
/// Whoever holds the lock file starts it; the others wait for the lock and then find it running. Nothing polls: the
/// daemon writes one byte to a pipe of its own when it listens.
package struct DaemonStarter {
  /// Milliseconds that a daemon may take until it listens.
  static let readyWithin: Int32 = 15_000
  /// Milliseconds for `systemctl`, which only asks the user manager.
  static let systemctlWithin: Int32 = 10_000
  /// Milliseconds to wait for others that start it: longer than one attempt takes.
  static let lockWithin: Int32 = 30_000

  private let path: SocketPath
  private let environment: Environment

  package init(_ path: SocketPath, _ environment: Environment) {
    self.path = path
    self.environment = environment
  }

  /// Runs `connect` under the lock, first as things are, then after a start. Throws when no daemon can be had.
  package func start<Connection: ~Copyable>(
    connect: () throws(Failure) -> Connection?
  ) throws(Failure) -> Connection {
    let lock = try takeLock()
    // Let go when this returns: the others then find a daemon that listens.
    return try startHolding(lock, connect)
  }

  private func startHolding<Connection: ~Copyable>(
    _ lock: borrowing OwnedDescriptor, _ connect: () throws(Failure) -> Connection?
  ) throws(Failure) -> Connection {
    if let connection = try connect() { return connection }
    if try !startUnit() { try startProgram() }
    guard let connection = try connect() else {
      throw Failure(.noDaemon, code: "no-daemon", "the daemon was started but does not listen", help: "almoner doctor")
    }
    return connection
  }

  private func takeLock() throws(Failure) -> OwnedDescriptor {
    let lock: OwnedDescriptor
    do {
      lock = OwnedDescriptor(try path.openBeside("start.lock", owner: getuid()))
    } catch {
      throw Failure(noDaemon: error)
    }
    guard clinux_lock_within(lock.number, Self.lockWithin) == 0 else {
      throw Failure(
        .noDaemon, code: "no-daemon", "others that start the daemon do not get done: \(SystemReason.words(errno))",
        isTemporary: errno == ETIMEDOUT)
    }
    return lock
  }

  /// Asks the person's systemd, when there is one, for the socket unit. False when it has none of that name.
  private func startUnit() throws(Failure) -> Bool {
    guard let runtime = environment["XDG_RUNTIME_DIR"], unsafe access("\(runtime)/systemd/private", F_OK) == 0,
      let systemctl = SearchPath.find("systemctl", environment)
    else { return false }
    let program = Program(
      systemctl, ["--user", "--quiet", "start", "almoner.socket"],
      environment: DaemonEnvironment.entries(from: environment))
    let child = try started(program)
    switch StartRule.decide(afterSystemctl: child.end(within: Self.systemctlWithin)) {
    case .started: return true
    case .unknownUnit: return false
    case .failed(let failure): throw failure
    }
  }

  private func startProgram() throws(Failure) {
    guard let path = SearchPath.sibling("almonerd") else {
      throw Failure(.noDaemon, code: "no-daemon", "no daemon runs, and almonerd is not installed beside almoner")
    }
    var program = Program(path, ["--ready-fd", "3"], environment: DaemonEnvironment.entries(from: environment))
    program.isDetached = true
    program.isSecluded = true
    var ready = try pipe()
    program.ready = ready.inheritable
    let child = try started(program)
    ready.closeWriting()
    guard ready.reading.isReadable(within: Self.readyWithin) else {
      throw Failure(.noDaemon, code: "no-daemon", "the daemon does not get ready", isTemporary: true)
    }
    if !ready.readAll(limit: 1, idle: 0).isEmpty { return }
    // It closed the pipe without a word, so it has ended or is about to.
    if let failure = StartRule.failure(afterDaemon: child.end(within: Self.readyWithin)) { throw failure }
  }

  private func pipe() throws(Failure) -> Pipe {
    do { return try Pipe() } catch { throw Self.unstartable("a pipe", error) }
  }

  private func started(_ program: Program) throws(Failure) -> Child {
    do { return try program.start() } catch { throw Self.unstartable(program.path, error) }
  }

  private static func unstartable(_ what: String, _ error: LaunchError) -> Failure {
    Failure(.noDaemon, code: "no-daemon", "no daemon runs and none can be started: \(what): \(error.words)")
  }
}
