import CLinux
import Glibc

/// `$XDG_STATE_HOME/almoner`, held by one daemon at a time: whoever has this object has the lock, for life.
///
/// The lock is taken before a store, journal or socket is touched.
package final class StateDirectory: Sendable {
  package let directory: PrivateDirectory
  private let lock: CInt

  /// Opens or makes the directory and takes the lock `lock` in it, an OFD write lock.
  ///
  /// Blocks for at most `patience`; then throws ``StateError/alreadyRunning``, having touched nothing but an empty file.
  package init(_ base: BaseDirectories, patience: Duration = .seconds(2)) throws(StateError) {
    directory = try PrivateDirectory(base.state + "/almoner")
    lock = try Self.takeLock(in: directory, patience)
  }

  /// Gives the lock up: the kernel does it when the descriptor is closed.
  deinit { close(lock) }

  /// The lock is tried again every so often, rather than waited for, because a wait cannot be given up after a time.
  private static let pause = Duration.milliseconds(50)

  private static func takeLock(in directory: PrivateDirectory, _ patience: Duration) throws(StateError) -> CInt {
    var waited = Duration.zero
    while true {
      if let lock = try tryLock(in: directory) { return lock }
      guard waited < patience else { throw .alreadyRunning }
      usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
      waited += pause
    }
  }

  /// Nil when somebody else has it.
  private static func tryLock(in directory: PrivateDirectory) throws(StateError) -> CInt? {
    do throws(SystemFailure) {
      let file = try FileDescriptor("lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, in: directory.descriptor)
      if clinux_lock_try(file.number) != 0 {
        guard errno == EAGAIN || errno == EACCES else { throw SystemFailure() }
        return nil
      }
      // A lock on a file that somebody deleted meanwhile would keep nobody out.
      let named = try FileStatus(named: "lock", in: directory.descriptor).identity
      return try FileStatus(of: file.number).identity == named ? file.release() : nil
    } catch {
      if error.isAbsence { return nil }
      throw .storage(path: "\(directory.path)/lock", why: error.description)
    }
  }
}
