import Glibc

/// Two descriptors, closed on exec: what is written to the second is read from the first.
package struct Pipe: ~Copyable {
  package private(set) var reading: OwnedDescriptor
  /// Nil once it was given away: the reader sees the end only when nobody can write any more.
  private var writing: OwnedDescriptor?

  package init() throws(LaunchError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw LaunchError(number: errno) }
    // Not at once with pipe2, which Glibc's module hides: this program has one thread.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = OwnedDescriptor(ends[0])
    writing = OwnedDescriptor(ends[1])
  }

  /// The number of the writing end, for a child to inherit.
  package var inheritable: Int32? {
    switch writing {
    case .some(let end): end.number
    case .none: nil
    }
  }

  package mutating func closeWriting() { writing = nil }

  /// Writes a short text (pipe(7): 4096 bytes never block) and closes the writing end. False when it was not taken whole.
  package mutating func write(whole text: String) -> Bool {
    guard let end = inheritable, text.utf8.count <= 4096 else { return false }
    let bytes = Array(text.utf8)
    let count = unsafe Glibc.write(end, bytes, bytes.count)
    closeWriting()
    return count == bytes.count
  }

  /// Reads until the other end is closed, `limit` bytes are had, or nothing came for `milliseconds`.
  package func readAll(limit: Int, idle milliseconds: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < limit, reading.isReadable(within: milliseconds) {
      let count = unsafe read(reading.number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
