import Glibc

extension SocketPath {
  /// Opens a file in the socket's directory for locking, making it (0600) if it is not there. The directory is made
  /// (0700) if need be and must be `owner`'s alone. The caller owns the descriptor, which no started program inherits.
  package func openBeside(_ name: String, owner: UInt32) throws(LocalSocketError) -> Int32 {
    let directory = try PrivateDirectory.make(directory, owner: owner)
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe openat(directory.descriptor, name, flags, mode_t(0o600))
    guard descriptor >= 0 else { throw .from("openat") }
    return descriptor
  }

  /// Looks, making nothing, whether ``openBeside(_:owner:)`` could do it. Throws what it would.
  package func examine(owner: UInt32) throws(LocalSocketError) {
    do throws(LocalSocketError) {
      _ = try PrivateDirectory(directory, owner: owner)
    } catch {
      guard error == .absent else { throw error }
      let parent = directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)]
      guard unsafe access("\(parent)/", W_OK | X_OK) == 0 else { throw .unmakable(directory) }
    }
  }
}
