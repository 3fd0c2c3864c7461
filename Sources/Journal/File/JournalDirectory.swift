import Glibc

/// The directory of all journals, held open: everything below it is reached through this descriptor.
package struct JournalDirectory: ~Copyable {
  let descriptor: Int32
  let user: UInt32

  /// Opens the directory at `path`. Throws ``JournalFileError``: it must be ours, mode 0700, and no symbolic link.
  package init(_ path: String, user: UInt32) throws(JournalFileError) {
    descriptor = try Self.opened(path, in: AT_FDCWD, user)
    self.user = user
  }

  deinit { close(descriptor) }

  /// Opens the directory `name` in the one that `parent` is open on, wherever that is now.
  package init(_ name: String, in parent: Int32, user: UInt32) throws(JournalFileError) {
    descriptor = try Self.opened(name, in: parent, user)
    self.user = user
  }

  /// Makes the directory `name` in `parent` if it is not there: mode 0700.
  package static func make(_ name: String, in parent: Int32) throws(JournalFileError) {
    if unsafe mkdirat(parent, name, 0o700) != 0 {
      guard errno == EEXIST else { throw .last("mkdirat") }
      return
    }
    guard fsync(parent) == 0 else { throw .last("fsync of the state directory") }
  }

  /// Removes what the account has here, overwritten first as far as a file system lets us, and looks again.
  ///
  /// A courier that is still flying keeps the removed file for itself; it is gone when the courier is.
  package borrowing func wipe(_ account: String) throws(JournalFileError) {
    for name in [account, JournalFile.temporaryName(account)] {
      do throws(JournalFileError) {
        let file = try JournalFile(self, name)
        try file.clear()
      } catch {
        // What cannot be opened or overwritten is removed all the same.
      }
      guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .last("unlinkat") }
    }
    try sync()
    for name in [account, JournalFile.temporaryName(account)] {
      var found = stat()
      guard unsafe fstatat(descriptor, name, &found, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT else {
        throw .untrusted("it came back while it was being removed")
      }
    }
  }

  borrowing func sync() throws(JournalFileError) {
    guard fsync(descriptor) == 0 else { throw .last("fsync of the directory") }
  }

  private static func opened(_ path: String, in parent: Int32, _ user: UInt32) throws(JournalFileError) -> Int32 {
    let descriptor = unsafe openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ELOOP || errno == ENOTDIR ? .untrusted("its directory is not one") : .last("open")
    }
    do throws(JournalFileError) {
      try check(descriptor, user)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func check(_ descriptor: Int32, _ user: UInt32) throws(JournalFileError) {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("fstat") }
    guard found.st_uid == user else { throw .untrusted("its directory belongs to somebody else") }
    guard found.st_mode & 0o077 == 0 else { throw .untrusted("its directory is open to others") }
  }
}
