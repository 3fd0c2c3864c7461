import CLinux
import Glibc

/// A directory that is ours alone: not a symbolic link, owned by us, closed to everybody else, not on a network.
///
/// Everything in it is reached through its descriptor, so nothing that happens to its path later leads us elsewhere.
package final class PrivateDirectory: Sendable {
  package let path: String
  /// Open for as long as this object lives; for `openat` and its kin.
  package let descriptor: CInt

  /// Opens the directory; makes it, and what leads to it, with mode 0700 where it is not there yet.
  package init(_ path: String) throws(StateError) {
    try Self.makeParents(of: path)
    self.path = path
    do throws(SystemFailure) {
      if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST { throw SystemFailure() }
      descriptor = try FileDescriptor(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).release()
    } catch {
      switch error.code {
      case ENOTDIR, ELOOP: throw .untrusted(path: path, why: "it is a symbolic link or no directory")
      default: throw .storage(path: path, why: error.description)
      }
    }
    // From here on `deinit` closes the descriptor, also when the check throws.
    try check()
  }

  deinit { close(descriptor) }

  /// Throws unless the directory is still ours alone and still what its path leads to. Called before each write.
  package func check() throws(StateError) {
    if let why = try distrust() { throw .untrusted(path: path, why: why) }
  }

  private func distrust() throws(StateError) -> String? {
    do throws(SystemFailure) {
      let status = try FileStatus(of: descriptor)
      if status.owner != geteuid() { return "it belongs to another user" }
      if status.permissions & 0o077 != 0 { return "others may open it: its mode must be 0700" }
      if clinux_is_remote(descriptor) == 1 { return "it may lie on another machine (a network file system, or FUSE)" }
      return try FileStatus(named: path).identity == status.identity ? nil : "it was replaced"
    } catch {
      if error.isAbsence { return "it was deleted" }
      throw .storage(path: path, why: error.description)
    }
  }

  private static func makeParents(of path: String) throws(StateError) {
    guard path.hasPrefix("/") else { throw .untrusted(path: path, why: "it is no absolute path") }
    var parent = ""
    for name in path.split(separator: "/").dropLast() {
      parent += "/\(name)"
      guard unsafe mkdir(parent, 0o700) == 0 || errno == EEXIST || access(parent, X_OK) == 0 else {
        throw .storage(path: parent, why: SystemFailure().description)
      }
    }
  }
}
