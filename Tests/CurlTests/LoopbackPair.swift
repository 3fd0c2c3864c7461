import Curl
import Glibc

/// A TCP listener on this machine and a connection to it.
final class LoopbackPair {
  struct Failure: Error {
    let code = errno
  }

  let client: SocketTable.Endpoint
  let server: SocketTable.Endpoint
  private var descriptors: [Int32] = []

  /// Listens at `address` and connects to `target`. Throws ``Failure`` where the machine has no such address.
  init(listeningAt address: String, connectingTo target: String, accepting: Bool) throws {
    let listener = try Self.socket(address)
    descriptors.append(listener)
    try unsafe Self.at(address, 0) { unsafe bind(listener, $0, $1) }
    guard listen(listener, 1) == 0 else { throw Failure() }
    let port = try Self.port(of: listener)
    let connection = try Self.socket(target)
    descriptors.append(connection)
    try unsafe Self.at(target, port) { unsafe connect(connection, $0, $1) }
    guard let end = IPAddress(target) else { throw Failure() }
    server = .init(address: end, port: port)
    client = .init(address: end, port: try Self.port(of: connection))
    if accepting { descriptors.append(accept(listener, nil, nil)) }
  }

  deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }

  private static func socket(_ address: String) throws -> Int32 {
    let family = address.contains(":") ? AF_INET6 : AF_INET
    let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure() }
    return descriptor
  }

  private static func at(
    _ address: String, _ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws {
    let result: Int32
    if address.contains(":") {
      var end = sockaddr_in6()
      end.sin6_family = sa_family_t(AF_INET6)
      end.sin6_port = port.bigEndian
      guard unsafe inet_pton(AF_INET6, address, &end.sin6_addr) == 1 else { throw Failure() }
      result = unsafe with(&end, call)
    } else {
      var end = sockaddr_in()
      end.sin_family = sa_family_t(AF_INET)
      end.sin_port = port.bigEndian
      guard unsafe inet_pton(AF_INET, address, &end.sin_addr) == 1 else { throw Failure() }
      result = unsafe with(&end, call)
    }
    guard result == 0 else { throw Failure() }
  }

  private static func with<Address>(
    _ end: inout Address, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    let size = socklen_t(MemoryLayout<Address>.size)
    return unsafe withUnsafePointer(to: &end) { end in
      unsafe end.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, size) }
    }
  }

  /// Both families have the port in the same place.
  private static func port(of descriptor: Int32) throws -> UInt16 {
    var end = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutablePointer(to: &end) { end in
      unsafe end.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
    }
    guard result == 0 else { throw Failure() }
    return UInt16(bigEndian: end.sin6_port)
  }
}
