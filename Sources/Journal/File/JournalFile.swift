import CLinux
import Glibc

/// One account's journal file, held open. Written with `pwrite` at fixed offsets, never mapped.
package struct JournalFile: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Opens the file `name`. Throws ``JournalFileError``: it must be a regular file of ours with one name, mode 0600,
  /// and exactly as long as we made it.
  package init(_ directory: borrowing JournalDirectory, _ name: String) throws(JournalFileError) {
    self.init(adopting: try Self.opened(directory, name))
  }

  /// Makes a file for `identity` that holds `blocks`, in place of the one it may have. The old one stays untouched
  /// until the new one is on disk. Throws ``JournalFileError``.
  package static func replace(
    _ directory: borrowing JournalDirectory, _ identity: JournalIdentity, _ blocks: [JournalLayout.Part: [UInt8]]
  ) throws(JournalFileError) {
    let temporary = temporaryName(identity.account)
    guard unsafe unlinkat(directory.descriptor, temporary, 0) == 0 || errno == ENOENT else { throw .last("unlinkat") }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe openat(directory.descriptor, temporary, flags, 0o600)
    guard descriptor >= 0 else { throw .last("openat") }
    let file = JournalFile(adopting: descriptor)
    do throws(JournalFileError) {
      try file.fill(identity, blocks)
      guard unsafe renameat(directory.descriptor, temporary, directory.descriptor, identity.account) == 0 else {
        throw .last("renameat")
      }
    } catch {
      // On a full disk the room is given back. What cannot be removed now is removed before the next one is made.
      unsafe unlinkat(directory.descriptor, temporary, 0)
      throw error
    }
    try directory.sync()
  }

  deinit { close(descriptor) }

  /// Which file this is, however it was reached.
  package struct Inode: Equatable, Sendable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }

  /// Which file it is.
  package func inode() throws(JournalFileError) -> Inode {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("fstat") }
    return Inode(device: UInt64(found.st_dev), number: UInt64(found.st_ino))
  }

  /// Whether the header is the one that a file of `identity` has.
  package func isFor(_ identity: JournalIdentity) throws(JournalFileError) -> Bool {
    let header = JournalLayout.header(identity)
    return try bytes(0, header.count) == header
  }

  /// The bytes of a part.
  package func read(_ part: JournalLayout.Part) throws(JournalFileError) -> [UInt8] {
    try bytes(part.offset, part.capacity)
  }

  /// Writes a block, in one call. After it returns no death of a process undoes it; only ``sync()`` outlives power loss.
  package func write(_ block: SealedBlock, _ part: JournalLayout.Part) throws(JournalFileError) {
    try write(block.bytes, part.offset)
  }

  /// Waits for the disk. After an error the file is condemned: what it holds is not what was written.
  package func sync() throws(JournalFileError) {
    guard fdatasync(descriptor) == 0 else { throw .last("fdatasync") }
  }

  /// Takes the courier's lock, which ends when this file is closed. Returns false when another courier has it.
  ///
  /// Who only watches holds a read lock for an instant; that is waited for.
  package func lock() throws(JournalFileError) -> Bool {
    while clinux_lock_try(descriptor) != 0 {
      guard errno == EAGAIN || errno == EACCES else { throw .last("taking the lock") }
      if try isFlying() { return false }
      guard clinux_lock_wait(descriptor) == 0 else { throw .last("taking the lock") }
      return true
    }
    return true
  }

  /// Whether a courier holds the lock.
  package func isFlying() throws(JournalFileError) -> Bool {
    let holder = clinux_lock_holder(descriptor)
    guard holder >= 0 else { throw .last("asking for the lock") }
    return holder == Int32(CLINUX_LOCK_WRITER.rawValue)
  }

  /// Blocks this thread until no courier holds the lock. A courier's own deadline ends the wait.
  package func waitUntilLanded() { _ = clinux_lock_share_wait(descriptor) }

  static func temporaryName(_ account: String) -> String { account + ".new" }

  /// Overwrites everything.
  func clear() throws(JournalFileError) {
    try write([UInt8](repeating: 0, count: JournalLayout.fileSize), 0)
    try sync()
  }

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  private static func opened(
    _ directory: borrowing JournalDirectory, _ name: String
  ) throws(JournalFileError) -> Int32 {
    let descriptor = unsafe openat(directory.descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ELOOP ? .untrusted("it is a symbolic link") : .last("openat") }
    do throws(JournalFileError) {
      try check(descriptor, directory.user)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func check(_ descriptor: Int32, _ user: UInt32) throws(JournalFileError) {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("fstat") }
    guard found.st_mode & S_IFMT == S_IFREG else { throw .untrusted("it is no regular file") }
    guard found.st_uid == user else { throw .untrusted("it belongs to somebody else") }
    guard found.st_mode & 0o077 == 0 else { throw .untrusted("it is open to others") }
    guard found.st_nlink <= 1 else { throw .untrusted("it has a second name") }
    guard found.st_size == JournalLayout.fileSize else { throw .damaged("it has not its size") }
  }

  /// Every byte is written, so that the disk can never again be too full for this file.
  private func fill(
    _ identity: JournalIdentity, _ blocks: [JournalLayout.Part: [UInt8]]
  ) throws(JournalFileError) {
    try write([UInt8](repeating: 0, count: JournalLayout.fileSize), 0)
    try write(JournalLayout.header(identity), 0)
    for (part, bytes) in blocks { try write(bytes, part.offset) }
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
  }

  private func write(_ bytes: [UInt8], _ offset: Int) throws(JournalFileError) {
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    guard count >= 0 else { throw .last("pwrite") }
    guard count == bytes.count else { throw .failed("pwrite", errno: ENOSPC) }
  }

  private func bytes(_ offset: Int, _ count: Int) throws(JournalFileError) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: count)
    let found = unsafe room.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, offset) }
    guard found >= 0 else { throw .last("pread") }
    guard found == count else { throw .damaged("it became shorter") }
    return room
  }
}
