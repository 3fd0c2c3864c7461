import Glibc

/// What decides whether a file may be trusted, read from the opened descriptor and not from a path.
struct FileStatus: Sendable {
  let isRegular: Bool
  let isDirectory: Bool
  let owner: uid_t
  let permissions: mode_t
  /// 0 when it has been deleted since it was opened.
  let links: UInt
  let identity: Identity

  /// The same for two names of one file.
  struct Identity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  init(of descriptor: CInt) throws(SystemFailure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemFailure() }
    self.init(status)
  }

  /// Of what the name means, without following a symbolic link.
  init(named name: String, in directory: CInt = AT_FDCWD) throws(SystemFailure) {
    var status = stat()
    guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemFailure() }
    self.init(status)
  }

  private init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    owner = status.st_uid
    permissions = status.st_mode & 0o7777
    links = UInt(status.st_nlink)
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }
}
