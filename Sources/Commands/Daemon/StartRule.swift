package import LocalSocket

/// When a daemon may be started, and how.
package enum StartRule {
  /// What may follow a connection that failed.
  package enum Action: Equatable, Sendable {
    case start
    case giveUp
  }

  /// Decides after connecting failed: only when nobody listens, and never for a socket that the person named, since
  /// whoever sets `ALMONER_SOCKET` runs that daemon too.
  package static func decide(after error: LocalSocketError, isExplicit: Bool) -> Action {
    error.isNotRunning && !isExplicit ? .start : .giveUp
  }

  /// What the end of `systemctl --user start` means.
  package enum UnitStart: Equatable, Sendable {
    case started
    /// The unit is not installed (LSB status 5): start the program itself.
    case unknownUnit
    case failed(Failure)
  }

  package static func decide(afterSystemctl end: Child.End) -> UnitStart {
    switch end {
    case .exited(0): return .started
    case .exited(5): return .unknownUnit
    case .exited, .killed:
      return .failed(
        Failure(
          .noDaemon, code: "no-daemon", "the user manager did not start almoner.socket",
          help: "systemctl --user status almoner.socket"))
    }
  }

  /// What the end of a daemon means that never said it was ready; nil when another daemon serves (status 7).
  package static func failure(afterDaemon end: Child.End) -> Failure? {
    switch end {
    case .exited(7): return nil
    case .exited(let status): return unready("it ended with status \(status)")
    case .killed(let signal): return unready("signal \(signal) ended it")
    }
  }

  private static func unready(_ what: String) -> Failure {
    Failure(.noDaemon, code: "no-daemon", "the daemon did not start: \(what)", help: "almoner doctor")
  }
}
