import Glibc

/// A directory that was opened and found to be ours and closed to everybody else (mode 0700 or less).
struct PrivateDirectory: ~Copyable {
  let descriptor: Int32

  /// Opens it; the last component may not be a symbolic link. Throws `untrustedDirectory`, or `absent`.
  init(_ path: String, owner: UInt32) throws(LocalSocketError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOTDIR, ELOOP: throw .untrustedDirectory("is not a directory")
      default: throw .from("open")
      }
    }
    if let fault = Self.fault(descriptor, owner) {
      close(descriptor)
      throw .untrustedDirectory(fault)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Makes it with mode 0700 if nothing is there, then opens it. Throws `untrustedDirectory` also when it cannot be made.
  static func make(_ path: String, owner: UInt32) throws(LocalSocketError) -> Self {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unmakable(path) }
    return try Self(path, owner: owner)
  }

  private static func fault(_ descriptor: Int32, _ owner: UInt32) -> String? {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else { return "cannot be examined" }
    if facts.st_uid != owner { return "belongs to another user" }
    return facts.st_mode & 0o077 == 0 ? nil : "is open to others"
  }
}
