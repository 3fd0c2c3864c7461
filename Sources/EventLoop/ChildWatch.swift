import CLinux
import Glibc
import Time

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
  private let reaper: Reaper
  private let registration: Registration

  /// Watches the child `process`, which must not have been reaped. `reap` is another one in tests. Throws
  /// ``SystemError``.
  package init(
    _ process: Int32, on loop: EventLoop, reap: @escaping @Sendable (Int32) -> ExitStatus? = ChildWatch.reap
  ) throws(SystemError) {
    let pidfd = clinux_pidfd(process)
    guard pidfd >= 0 else { throw SystemError("pidfd_open") }
    let reaper = Reaper(pidfd, loop, reap)
    registration = try loop.register(pidfd, [.read, .once]) { _ in reaper.look() }
    self.reaper = reaper
  }

  /// The watch ends before the descriptor goes.
  deinit { registration.cancel() }

  /// Returns how the child ended, as soon as it has. Throws only when the waiting task is cancelled; the watch stays.
  package func exit() async throws(CancellationError) -> ExitStatus { try await reaper.ended.wait() }

  /// Sends a signal. Returns false when the child has ended.
  @discardableResult package func kill(_ signal: Int32) -> Bool { clinux_pidfd_signal(reaper.pidfd, signal) == 0 }

  /// Reaps the child if it can be had.
  package static func reap(_ pidfd: Int32) -> ExitStatus? {
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

/// Reaps one child when the kernel says that it ended, and owns the descriptor by which it is known.
private final class Reaper: Sendable {
  /// A child that is traced has ended, and cannot be had before its tracer has seen it.
  static let pause = Duration.milliseconds(50)

  let pidfd: Int32
  let ended = Latch<ExitStatus>()
  private let loop: EventLoop
  private let reap: @Sendable (Int32) -> ExitStatus?

  init(_ pidfd: Int32, _ loop: EventLoop, _ reap: @escaping @Sendable (Int32) -> ExitStatus?) {
    self.pidfd = pidfd
    self.loop = loop
    self.reap = reap
  }

  deinit { close(pidfd) }

  func look() {
    if let status = reap(pidfd) {
      ended.settle(status)
    } else {
      _ = loop.schedule(at: loop.now + Self.pause) { self.look() }
    }
  }
}
