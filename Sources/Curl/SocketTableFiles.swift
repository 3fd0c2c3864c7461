import CLinux
import Glibc

/// The kernel's tables of TCP sockets, opened before the process shuts itself off from `/proc`.
///
/// Reading them takes the kernel ten milliseconds and more: it walks through room for a hundred thousand connections.
final class SocketTableFiles: Sendable {
  /// The most that is read of one table: some 27,000 sockets. A longer one counts as unreadable.
  static let maximumBytes = 4 << 20

  private let descriptors: [Int32]

  /// A table that cannot be opened is left out; then no plain connection is allowed that it would have had to vouch for.
  init() {
    let names = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
    descriptors = names.map { (name: String) -> Int32 in unsafe open(name, O_RDONLY | O_CLOEXEC) }
  }

  deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }

  /// The rows of a local port as they are now, or nil when the tables cannot be read whole.
  func read(port: UInt16) -> SocketTable? {
    var tables: [[UInt8]] = []
    for descriptor in descriptors where descriptor >= 0 {
      guard lseek(descriptor, 0, SEEK_SET) == 0, let table = contents(descriptor) else { return nil }
      tables.append(table)
    }
    return SocketTable(tables, port: port)
  }

  private func contents(_ descriptor: Int32) -> [UInt8]? {
    var table: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while table.count <= Self.maximumBytes {
      let count = unsafe Glibc.read(descriptor, &room, room.count)
      if count == 0 { return table }
      if count < 0 { return nil }
      table += room[..<count]
    }
    return nil
  }
}
