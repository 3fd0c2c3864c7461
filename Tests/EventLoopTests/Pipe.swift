import Glibc

/// Two ends of a pipe, closed with it.
final class Pipe: Sendable {
  struct Failed: Error {}

  let readEnd: Int32
  let writeEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failed() }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func write(_ text: String) { _ = unsafe Glibc.write(writeEnd, text, text.utf8.count) }

  func readAll() -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(readEnd, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
