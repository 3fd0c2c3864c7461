import Glibc

/// One end of a TCP connection on this machine.
package struct LoopbackEndpoint: Equatable, Sendable {
  /// Which loopback network.
  package enum Family: Equatable, Sendable {
    /// 127.0.0.0/8
    case v4
    /// ::1
    case v6
  }

  package let family: Family
  /// The address as the kernel stores it, network order: 4 or 16 bytes.
  package let address: [UInt8]
  package let port: UInt16

  package init(family: Family, address: [UInt8], port: UInt16) {
    self.family = family
    self.address = address
    self.port = port
  }

  /// The far end of a connected socket; nil when it has none (any more).
  static func peer(of descriptor: Int32) -> Self? { unsafe ask { unsafe getpeername(descriptor, $0, $1) } }

  /// Our end of a socket.
  static func local(of descriptor: Int32) -> Self? { unsafe ask { unsafe getsockname(descriptor, $0, $1) } }

  private static func ask(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Self? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
    }
    guard result == 0 else { return nil }
    return unsafe withUnsafeBytes(of: &storage) { unsafe Self($0) }
  }

  /// Reads a socket address as the kernel writes it; nil when it is neither IPv4 nor IPv6, or too short.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
    // Both layouts: the family at 0; the port in network order at 2; the address at 4 (IPv4) or 8 (IPv6).
    let port = unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    switch Int32(unsafe bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET: unsafe self.init(family: .v4, address: Array(bytes[4..<8]), port: port)
    case AF_INET6 where bytes.count >= 24: unsafe self.init(family: .v6, address: Array(bytes[8..<24]), port: port)
    default: return nil
    }
  }
}
