import CLinux
import Glibc

/// A listening socket that the daemon made, or was given by systemd.
package final class LocalListener: Sendable {
  /// Connections that wait to be accepted.
  static let backlog: Int32 = 4096

  /// Non-blocking; owned by the listener.
  package let descriptor: Int32
  /// Where we bound it; nil when it was given to us, for then the path is not ours to remove.
  private let bound: Bound?

  private struct Bound: Sendable {
    let path: SocketPath
    let inode: UInt
  }

  /// Binds `path`: under a temporary name in its directory, mode 0600, listening, and only then renamed over, so that
  /// nobody ever finds the path without a listener.
  ///
  /// Call it only while holding the lock of the state directory. The directory is made (0700) if it is not there, and
  /// must be ours and closed to others. Throws ``LocalSocketError``.
  package static func bind(_ path: SocketPath, user: UInt32) throws(LocalSocketError) -> LocalListener {
    let directory = try PrivateDirectory.make(path.directory, owner: user)
    let descriptor = clinux_socket()
    guard descriptor >= 0 else { throw .from("socket") }
    let temporary = ".\(getpid()).sock"
    do throws(LocalSocketError) {
      let inode = try listen(descriptor, temporary, in: directory)
      guard unsafe renameat(directory.descriptor, temporary, directory.descriptor, path.name) == 0 else {
        throw .from("renameat")
      }
      return LocalListener(descriptor: descriptor, bound: Bound(path: path, inode: inode))
    } catch {
      close(descriptor)
      unsafe unlinkat(directory.descriptor, temporary, 0)
      throw error
    }
  }

  /// Takes over the socket that systemd passed (`LISTEN_PID`, `LISTEN_FDS`), or returns nil when none was meant for us.
  ///
  /// Throws `badInheritance` when there is not exactly one, or it is no listening stream socket of the file system's
  /// namespace. `first` is descriptor 3 but in tests.
  package static func inherit(first: Int32 = 3, _ environment: (String) -> String?) throws(LocalSocketError)
    -> LocalListener?
  {
    guard let count = environment("LISTEN_FDS") else { return nil }
    guard let process = environment("LISTEN_PID"), process == String(getpid()) else { return nil }
    guard count == "1" else { throw .badInheritance("is not exactly one socket") }
    guard clinux_is_listener(first) == 1 else { throw .badInheritance("is not a listening local stream socket") }
    guard fcntl(first, F_SETFD, FD_CLOEXEC) == 0, fcntl(first, F_SETFL, O_NONBLOCK) == 0 else { throw .from("fcntl") }
    return LocalListener(descriptor: first, bound: nil)
  }

  private init(descriptor: Int32, bound: Bound?) {
    self.descriptor = descriptor
    self.bound = bound
  }

  deinit { close(descriptor) }

  /// Removes the path, if it is still the socket that we bound. A given socket stays: systemd listens on.
  package func retire() {
    guard let bound, Self.inode(AT_FDCWD, bound.path.text) == bound.inode else { return }
    unsafe unlink(bound.path.text)
  }

  /// Bound by way of /proc, because an address has no "in this directory".
  private static func listen(
    _ descriptor: Int32, _ name: String, in directory: borrowing PrivateDirectory
  ) throws(LocalSocketError) -> UInt {
    unsafe unlinkat(directory.descriptor, name, 0)
    guard unsafe clinux_bind(descriptor, "/proc/self/fd/\(directory.descriptor)/\(name)") == 0 else {
      throw .from("bind")
    }
    guard unsafe fchmodat(directory.descriptor, name, 0o600, 0) == 0, let inode = inode(directory.descriptor, name)
    else { throw .from("fchmodat") }
    guard Glibc.listen(descriptor, backlog) == 0 else { throw .from("listen") }
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw .from("fcntl") }
    return inode
  }

  private static func inode(_ directory: Int32, _ name: String) -> UInt? {
    var facts = stat()
    guard unsafe fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return facts.st_ino
  }
}
