import CLinux
import Glibc

/// How a child ended.
package enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  /// By this signal.
  case killed(Int32)
  /// Somebody else reaped it (SIGCHLD is ignored, or a foreign `wait`).
  case unknown
}

/// Watches one child by pidfd: it is reaped as soon as it ends, and a signal cannot hit a stranger with its number.
///
/// Hold it until the child has ended; who lets go of it before leaves a zombie.
package final class ChildWatch: Sendable {
  private let pidfd: Int32
  private let ended = Latch<ExitStatus>()
  private let registration: Registration

  /// Watches the child `process`, which must not have been reaped. Throws ``SystemError``.
  package init(_ process: Int32, on loop: EventLoop) throws(SystemError) {
    let pidfd = clinux_pidfd(process)
    guard pidfd >= 0 else { throw SystemError("pidfd_open") }
    do {
      registration = try loop.register(pidfd, [.read, .once]) { [ended] _ in
        if let status = Self.reap(pidfd) { ended.settle(status) }
      }
    } catch {
      close(pidfd)
      throw error
    }
    self.pidfd = pidfd
  }

  deinit {
    registration.cancel()
    close(pidfd)
  }

  /// Returns how the child ended, as soon as it has. Throws only when the waiting task is cancelled; the watch stays.
  package func exit() async throws(CancellationError) -> ExitStatus { try await ended.wait() }

  /// Sends a signal. Returns false when the child has ended.
  @discardableResult package func kill(_ signal: Int32) -> Bool { clinux_pidfd_signal(pidfd, signal) == 0 }

  private static func reap(_ pidfd: Int32) -> ExitStatus? {
    var status: Int32 = 0
    switch unsafe clinux_reap(pidfd, &status) {
    case 0: return nil
    case 1: return status < 0 ? .killed(-status) : .exited(status)
    case let failure:
      precondition(failure == -1)
      return .unknown
    }
  }
}
