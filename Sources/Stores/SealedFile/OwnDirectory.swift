import CLinux
import Configuration
import EventLoop
import Glibc
import Vault

/// A directory that is ours alone, open and checked on its descriptor.
struct OwnDirectory: ~Copyable {
  /// The most names that are looked at in one directory.
  static let nameLimit = 4096

  let descriptor: Int32

  /// The directory that `held` holds open. Throws `.untrusted` when its path no longer leads to it, or it is no longer
  /// ours alone.
  init(_ held: PrivateDirectory) throws(StoreError) { descriptor = try Self.opened(held) }

  private init(_ parent: borrowing OwnDirectory, _ name: String) throws(StoreError) {
    descriptor = unsafe openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.opening("the directory '\(name)'") }
    try check("the directory '\(name)'")
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The directory `name` in this one, or nil when there is none.
  func directory(_ name: String) throws(StoreError) -> OwnDirectory? {
    guard try exists(name) else { return nil }
    return try OwnDirectory(self, name)
  }

  /// The directory `name` in this one, made with mode 0700 when there is none.
  func madeDirectory(_ name: String) throws(StoreError) -> OwnDirectory {
    if let present = try directory(name) { return present }
    guard unsafe mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw .failed("mkdirat") }
    try sync()
    return try OwnDirectory(self, name)
  }

  /// Removes the directory `name` if it is empty.
  func removeEmptyDirectory(_ name: String) throws(StoreError) {
    guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else {
      if [ENOENT, ENOTEMPTY, EEXIST].contains(errno) { return }
      throw .failed("unlinkat")
    }
    try sync()
  }

  /// Whether there is anything of that name, whatever it is.
  func exists(_ name: String) throws(StoreError) -> Bool {
    var about = stat()
    if unsafe fstatat(descriptor, name, &about, AT_SYMLINK_NOFOLLOW) == 0 { return true }
    guard errno == ENOENT else { throw .failed("fstatat") }
    return false
  }

  /// Makes renames and removals survive power loss.
  func sync() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw .failed("fsync of a directory") }
  }

  /// The names that end in `suffix`, sorted.
  func names(endingIn suffix: String) throws(StoreError) -> [String] {
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else { throw .failed("fdopendir") }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream), names.count < Self.nameLimit {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(suffix) { names.append(name) }
    }
    return names.sorted()
  }

  private static func opened(_ held: PrivateDirectory) throws(StoreError) -> Int32 {
    do throws(StateError) {
      try held.check()
    } catch {
      throw .untrusted("\(error)")
    }
    let descriptor = fcntl(held.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .failed("fcntl") }
    return descriptor
  }

  private func check(_ what: String) throws(StoreError) {
    var about = stat()
    guard unsafe fstat(descriptor, &about) == 0 else { throw .failed("fstat") }
    guard about.st_uid == geteuid() else { throw .untrusted("\(what) belongs to somebody else") }
    guard about.st_mode & 0o077 == 0 else { throw .untrusted("\(what) is open to others; its mode must be 0700") }
    guard clinux_is_remote(descriptor) == 0 else {
      throw .untrusted("\(what) may lie on another machine (network or FUSE); point XDG_STATE_HOME elsewhere")
    }
  }
}

extension StoreError {
  /// A system call that failed for a reason of the disk's.
  static func failed(_ call: String) -> StoreError { .storage(SystemError(call).description) }

  /// Opening `what` failed with `errno`: a symbolic link in the way is no matter of the disk's.
  static func opening(_ what: String) -> StoreError {
    switch errno {
    case ELOOP, ENOTDIR: .untrusted("\(what) is a symbolic link or no directory")
    case ENOENT: .storage("\(what) is not there")
    case let code: .storage(SystemError("opening \(what)", code).description)
    }
  }
}
