import CLinux
import Glibc

/// Who is at the other end of a connection, as the kernel recorded it when they connected.
package struct Peer: Sendable {
  /// The process; it may have ended, and its number been given to another.
  package let process: Int32
  package let user: UInt32

  /// Nil when the kernel does not say.
  init?(of socket: Int32) {
    var process: pid_t = 0
    var user: uid_t = 0
    guard unsafe clinux_peer(socket, &process, &user) == 0 else { return nil }
    self.process = process
    self.user = user
  }
}
