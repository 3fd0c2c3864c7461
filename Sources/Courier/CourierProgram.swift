import CLinux
package import EventLoop
import Glibc

/// The courier's program, opened when the daemon starts: an upgrade in between cannot mix versions.
package final class CourierProgram: Sendable {
  private let descriptor: Int32

  /// Opens the program at `path`. Throws ``SystemError``; with EPERM when it is no regular file, or not root's or ours
  /// alone to write.
  package init(path: String) throws(SystemError) {
    let descriptor = unsafe clinux_open_program(path)
    guard descriptor >= 0 else { throw SystemError("opening the courier's program") }
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_mode & 0o022 == 0,
      found.st_uid == 0 || found.st_uid == geteuid()
    else {
      close(descriptor)
      throw SystemError("trusting the courier's program", EPERM)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// A running courier and our end of its channel.
  package struct Started {
    package let process: Int32
    package let channel: Int32
  }

  /// Starts a courier. It waits for a briefing, and ends by itself when our end is closed before "go".
  package func start() throws(SystemError) -> Started {
    var pair: [Int32] = [-1, -1]
    guard unsafe clinux_channel(&pair) == 0 else { throw SystemError("socketpair") }
    let process = unsafe clinux_spawn(descriptor, "almoner-courier", pair[1])
    let cause = errno
    close(pair[1])
    guard process >= 0 else {
      close(pair[0])
      throw SystemError("starting the courier", cause)
    }
    return Started(process: process, channel: pair[0])
  }
}
