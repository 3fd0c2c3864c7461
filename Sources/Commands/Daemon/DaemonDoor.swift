import Glibc
package import LocalSocket

/// How commands come to the daemon.
package struct DaemonDoor: Sendable {
  /// What to do when none runs.
  package enum Absence: Sendable {
    /// Start one, where ``StartRule`` allows it.
    case start
    /// Leave it so.
    case leave
  }

  private let connect: @Sendable (Absence) throws(Failure) -> LocalConnection

  /// A door that `connect` opens.
  package init(connect: @escaping @Sendable (Absence) throws(Failure) -> LocalConnection) { self.connect = connect }

  /// The door to the person's own daemon.
  package init(_ environment: Environment) {
    self.init { (absence) throws(Failure) in try Self.openOwn(environment, absence) }
  }

  /// A new connection. Throws ``ExitStatus/noDaemon`` when there is none to be had.
  package func open(_ absence: Absence = .start) throws(Failure) -> DaemonConnection {
    DaemonConnection(try connect(absence))
  }

  private static func openOwn(_ environment: Environment, _ absence: Absence) throws(Failure) -> LocalConnection {
    let path: SocketPath
    do { path = try SocketPath.find(user: getuid()) { environment[$0] } } catch { throw Failure(noDaemon: error) }
    do throws(LocalSocketError) {
      return try knock(path)
    } catch {
      guard case .start = absence, StartRule.decide(after: error, isExplicit: path.isExplicit) == .start else {
        throw Failure(noDaemon: error)
      }
    }
    return try DaemonStarter(path, environment).start { () throws(Failure) in
      do throws(LocalSocketError) {
        return try knock(path)
      } catch {
        guard error.isNotRunning else { throw Failure(noDaemon: error) }
        return nil
      }
    }
  }

  /// Five seconds are for the connection alone: a daemon that lives accepts at once.
  private static func knock(_ path: SocketPath) throws(LocalSocketError) -> LocalConnection {
    try LocalConnection(to: path, user: getuid(), by: Deadline(in: .seconds(5)))
  }
}
