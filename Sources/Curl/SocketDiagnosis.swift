import CLinux
import Glibc

/// Asks the kernel about single TCP sockets (sock_diag(7)), which takes it microseconds.
final class SocketDiagnosis: Sendable {
  /// The most listeners on one port that are looked at; with more the question counts as unanswered.
  static let maximumListeners = 64

  private let descriptor: Int32

  /// Nil where the kernel has no such socket, or a sandbox forbids it.
  init?() {
    descriptor = clinux_diagnosis()
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Who listens on the server's port, and the server's end of the connection. Nil when a question is not answered.
  func table(from client: SocketTable.Endpoint, to server: SocketTable.Endpoint) -> SocketTable? {
    var found: [clinux_tcp_socket] = []
    for family in [AF_INET, AF_INET6] {
      guard let listeners = listeners(family, server.port) else { return nil }
      found += listeners
    }
    // Asked last: whoever accepted it had to listen before.
    var wanted = clinux_tcp_socket()
    guard client.address.isVersion4 == server.address.isVersion4 else { return nil }
    wanted.family = server.address.isVersion4 ? AF_INET : AF_INET6
    wanted.local_port = server.port
    wanted.remote_port = client.port
    Self.put(server.address, into: &wanted.local)
    Self.put(client.address, into: &wanted.remote)
    switch unsafe clinux_tcp_connection(descriptor, &wanted) {
    case 1: found.append(wanted)
    case 0: break
    default: return nil
    }
    return SocketTable(found.map(Self.row))
  }

  private func listeners(_ family: Int32, _ port: UInt16) -> [clinux_tcp_socket]? {
    var room = [clinux_tcp_socket](repeating: clinux_tcp_socket(), count: Self.maximumListeners)
    let count = unsafe clinux_tcp_listeners(descriptor, family, port, &room, Int32(room.count))
    return count < 0 ? nil : Array(room.prefix(Int(count)))
  }

  private static func row(_ found: clinux_tcp_socket) -> SocketTable.Row {
    SocketTable.Row(
      local: .init(address: address(found.local, found.family), port: found.local_port),
      remote: .init(address: address(found.remote, found.family), port: found.remote_port),
      isListening: found.is_listening != 0, user: found.user, inode: UInt64(found.inode))
  }

  /// The address in the C structure's sixteen bytes.
  private static func address<Bytes>(_ bytes: Bytes, _ family: Int32) -> IPAddress {
    unsafe withUnsafeBytes(of: bytes) { bytes in
      let bytes = unsafe Array(bytes)
      return family == AF_INET ? IPAddress(mapping: Array(bytes.prefix(4))) : IPAddress(bytes: bytes)
    }
  }

  private static func put<Bytes>(_ address: IPAddress, into room: inout Bytes) {
    let bytes = address.isVersion4 ? Array(address.bytes.suffix(4)) : address.bytes
    unsafe withUnsafeMutableBytes(of: &room) { unsafe $0.copyBytes(from: bytes) }
  }
}
