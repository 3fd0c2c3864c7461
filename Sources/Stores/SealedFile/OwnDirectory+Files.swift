import CrashPoints
import Glibc
import Vault

// Small files of ours, read whole and replaced whole.
extension OwnDirectory {
  static let temporarySuffix = ".tmp"

  /// The bytes of a file, or nil when there is none.
  ///
  /// Throws `.untrusted` unless it is a regular file with one name, ours, mode 0600; `.damaged` above `limit` bytes.
  func read(_ name: String, limit: Int) throws(StoreError) -> [UInt8]? {
    // Non-blocking, so that a FIFO put in its place cannot hold the storage thread.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw .untrusted("the file '\(name)' is a symbolic link") }
      throw .failed("openat")
    }
    defer { close(file) }
    let size = try OwnFile.check(file, "the file '\(name)'")
    guard size <= limit else { throw .damaged("the file '\(name)' is longer than any of ours") }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe OwnFile.read(file, into: $0) }
    guard let count else { throw .failed("read") }
    return Array(bytes.prefix(count))
  }

  /// Replaces a file whole: temporary file, fsync, rename, fsync of the directory, then a look at what is there.
  ///
  /// When it throws, the old file or the new one is there, never a mixture, and no temporary one.
  func replace(_ name: String, with bytes: [UInt8]) throws(StoreError) {
    let temporary = name + Self.temporarySuffix
    try remove(temporary)
    CrashPoint.sealedBegun.reached()
    do throws(StoreError) {
      try write(temporary, bytes)
      guard unsafe renameat(descriptor, temporary, descriptor, name) == 0 else { throw .failed("renameat") }
      CrashPoint.sealedRenamed.reached()
    } catch {
      try remove(temporary)
      throw error
    }
    try sync()
    CrashPoint.sealedDirectorySynced.reached()
    guard try read(name, limit: bytes.count) == bytes else { throw .storage("the disk kept other bytes than given") }
    CrashPoint.sealedReadBack.reached()
  }

  /// Removes a file. Nothing there is no error.
  func remove(_ name: String) throws(StoreError) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .failed("unlinkat") }
  }

  /// Overwrites a file as far as its file system lets us, and removes it. Nothing there is no error.
  func wipe(_ name: String) throws(StoreError) {
    overwrite(name)
    try remove(name)
  }

  /// What cannot be overwritten is removed all the same, so nothing is thrown. A second name is somebody's copy.
  private func overwrite(_ name: String) {
    let file = unsafe openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var about = stat()
    guard unsafe fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_nlink == 1 else { return }
    let size = min(Int(about.st_size), Self.overwriteLimit)
    do throws(StoreError) { try write(file, [UInt8](repeating: 0, count: size)) } catch { return }
  }

  /// Bytes. None of our files is longer.
  private static let overwriteLimit = 1 << 20

  private func write(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    let file = unsafe openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .failed("openat") }
    defer { close(file) }
    // The umask may have taken bits away.
    guard fchmod(file, 0o600) == 0 else { throw .failed("fchmod") }
    try write(file, bytes)
  }

  /// Writes all of it and syncs.
  private func write(_ file: Int32, _ bytes: [UInt8]) throws(StoreError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .failed("write") }
      rest = rest.dropFirst(count)
    }
    CrashPoint.sealedWritten.reached()
    guard fsync(file) == 0 else { throw .failed("fsync") }
    CrashPoint.sealedSynced.reached()
  }
}
