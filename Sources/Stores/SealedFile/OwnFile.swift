import Glibc
import Vault

/// Checks and reads on the descriptor of a file that must be ours alone.
enum OwnFile {
  /// The file's size. Throws `.untrusted` unless it is a regular file with one name, ours, closed to others.
  static func check(_ file: Int32, _ what: String) throws(StoreError) -> Int {
    var about = stat()
    guard unsafe fstat(file, &about) == 0 else { throw .failed("fstat") }
    guard about.st_mode & S_IFMT == S_IFREG else { throw .untrusted("\(what) is no regular file") }
    guard about.st_uid == geteuid() else { throw .untrusted("\(what) belongs to somebody else") }
    guard about.st_mode & 0o077 == 0 else { throw .untrusted("\(what) is open to others; its mode must be 0600") }
    guard about.st_nlink == 1 else { throw .untrusted("\(what) has a second name (a hard link)") }
    return Int(about.st_size)
  }

  /// Fills `room` as far as the file goes. Returns how many bytes came, or nil with `errno`.
  static func read(_ file: Int32, into room: UnsafeMutableRawBufferPointer) -> Int? {
    var filled = 0
    while filled < room.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...])
      let count = unsafe Glibc.read(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
