import Glibc

/// What a server's thread waits at until the test lets it pass.
final class Gate: Sendable {
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    self.ends = ends
  }

  deinit { for end in ends { close(end) } }

  /// Blocks this thread until ``open()``.
  func pass() {
    var byte: UInt8 = 0
    _ = unsafe read(ends[0], &byte, 1)
  }

  func open() {
    var byte: UInt8 = 1
    _ = unsafe write(ends[1], &byte, 1)
  }
}
