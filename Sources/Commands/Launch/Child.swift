import CLinux
import Glibc

/// A program that was started. It is watched, waited for, or left alone when it is to outlive us.
package struct Child: ~Copyable {
  /// How a program ended.
  package enum End: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  private let id: pid_t
  /// Turns readable when the program has ended (pidfd_open(2)).
  package let ending: OwnedDescriptor

  init(id: pid_t) throws(LaunchError) {
    let descriptor = clinux_pidfd(id)
    guard descriptor >= 0 else { throw LaunchError(number: errno) }
    self.id = id
    ending = OwnedDescriptor(descriptor)
  }

  /// How it ended; nil while it runs.
  package func end() -> End? {
    var status: Int32 = 0
    guard unsafe clinux_reap(ending.number, &status) == 1 else { return nil }
    return status < 0 ? .killed(signal: -status) : .exited(status)
  }

  /// Waits at most `milliseconds`; what has not ended then is killed.
  package func end(within milliseconds: Int32) -> End {
    if !ending.isReadable(within: milliseconds) {
      kill(id, SIGKILL)
      _ = ending.isReadable(within: -1)
    }
    return end() ?? .killed(signal: SIGKILL)
  }
}
