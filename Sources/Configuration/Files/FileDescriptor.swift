import Glibc

/// An open file, closed when its owner goes.
struct FileDescriptor: ~Copyable {
  let number: CInt

  /// Opens `path`, relative to `directory` when it is given. Never a controlling terminal, never across exec.
  init(_ path: String, _ flags: CInt, mode: mode_t = 0, in directory: CInt = AT_FDCWD) throws(SystemFailure) {
    number = unsafe openat(directory, path, flags | O_CLOEXEC | O_NOCTTY, mode)
    guard number >= 0 else { throw SystemFailure() }
  }

  deinit { close(number) }

  /// Gives the descriptor away, unclosed.
  consuming func release() -> CInt {
    let number = number
    discard self
    return number
  }

  /// Reads to the end of the file, but no more than `limit` bytes and one, by which too much is noticed.
  func read(upTo limit: Int) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8192)
    var content: [UInt8] = []
    while content.count <= limit {
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemFailure() }
      if count == 0 { break }
      content += bytes[..<count]
    }
    return Array(content.prefix(limit + 1))
  }

  /// Writes all of it.
  func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure(count == 0 ? ENOSPC : errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Overwrites a part of what is there, in one write.
  func overwrite(_ bytes: [UInt8], at offset: Int) throws(SystemFailure) {
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, offset) }
    guard count == bytes.count else { throw SystemFailure(count < 0 ? errno : ENOSPC) }
  }

  /// Returns when the content is on the disk.
  func synchronize() throws(SystemFailure) {
    guard fsync(number) == 0 else { throw SystemFailure() }
  }
}
