/// Some of the kernel's TCP sockets, looked at to learn whose a listener is.
package struct SocketTable {
  package struct Endpoint: Hashable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(address: IPAddress, port: UInt16) {
      self.address = address
      self.port = port
    }
  }

  struct Row {
    let local: Endpoint
    let remote: Endpoint
    let isListening: Bool
    let user: UInt32
    /// 0 for a connection that nobody has accepted yet: its `user` says nothing then.
    let inode: UInt64
  }

  private let rows: [Row]

  init(_ rows: [Row]) { self.rows = rows }

  /// `tables` are the contents of `/proc/net/tcp` and `tcp6` (proc_net_tcp(5)); only rows whose local end has this port are read. Lines that cannot be read
  /// are left out.
  package init(_ tables: [[UInt8]], port: UInt16) {
    let digits = String(port, radix: 16, uppercase: true)
    let suffix = Array((":" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
    rows = tables.flatMap { table in
      table.split(separator: 0x0a).dropFirst().filter { Self.hasLocal($0, suffix) }.compactMap(Self.row)
    }
  }

  /// Whether the connection from `client` to `server` can only have reached a process of `user`: every listener that
  /// could have taken it is theirs, there is one, and the accepted end is theirs if it has been accepted.
  package func leads(from client: Endpoint, to server: Endpoint, onlyTo user: UInt32) -> Bool {
    let listeners = rows.filter {
      $0.isListening && $0.local.port == server.port && $0.local.address.receives(server.address)
    }
    let accepted = rows.filter { !$0.isListening && $0.local == server && $0.remote == client && $0.inode != 0 }
    return !listeners.isEmpty && (listeners + accepted).allSatisfy { $0.user == user }
  }

  /// Whether the second field ends like this. A table may have thousands of rows, so this looks at few bytes of each.
  private static func hasLocal(_ line: ArraySlice<UInt8>, _ suffix: [UInt8]) -> Bool {
    guard let colon = line.firstIndex(of: 0x3a) else { return false }
    let field = line[(colon + 1)...].drop { $0 == 0x20 }
    guard let end = field.firstIndex(of: 0x20), end - field.startIndex >= suffix.count else { return false }
    return field[(end - suffix.count)..<end].elementsEqual(suffix)
  }

  private static func row(_ line: ArraySlice<UInt8>) -> Row? {
    let fields = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count >= 10, let local = endpoint(fields[1]), let remote = endpoint(fields[2]),
      let user = UInt32(fields[7]), let inode = UInt64(fields[9])
    else { return nil }
    return Row(local: local, remote: remote, isListening: fields[3] == "0A", user: user, inode: inode)
  }

  /// `0100007F:1F90`: the address in 32-bit words of the machine's own byte order, the port as a number.
  private static func endpoint(_ text: String) -> Endpoint? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1], radix: 16), let address = address(Array(parts[0])) else {
      return nil
    }
    return Endpoint(address: address, port: port)
  }

  private static func address(_ digits: [Character]) -> IPAddress? {
    guard digits.count == 8 || digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 8) {
      guard let word = UInt32(String(digits[start..<start + 8]), radix: 16) else { return nil }
      // The kernel printed the word as a number; its bytes in memory are the address in network order.
      unsafe withUnsafeBytes(of: word) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes.count == 4 ? IPAddress(mapping: bytes) : IPAddress(bytes: bytes)
  }
}
