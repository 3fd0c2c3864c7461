import Glibc

/// A listening TCP socket on a loopback address. Closed when it goes, unless a server took it over.
package struct LoopbackListener: ~Copyable {
  /// Why there is no listener.
  package enum Failure: Error, Equatable {
    /// Somebody listens there.
    case portBusy
    /// The machine has no such address: no IPv6, as a rule.
    case familyUnavailable
    /// Anything else, as errno.
    case system(Int32)
  }

  package let descriptor: Int32
  /// The port it listens on, also when 0 was asked for.
  package let port: UInt16

  /// Listens on 127.0.0.1 or ::1. Port 0 lets the kernel choose.
  package init(_ family: LoopbackEndpoint.Family, port: UInt16) throws(Failure) {
    let domain = family == .v4 ? AF_INET : AF_INET6
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(domain, flags, 0)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    do throws(Failure) {
      try Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR)
      if family == .v6 { try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
      guard Self.bind(descriptor, family, port) == 0, listen(descriptor, 128) == 0 else { throw Self.failure(errno) }
      guard let bound = LoopbackEndpoint.local(of: descriptor) else { throw .system(errno) }
      self.port = bound.port
      self.descriptor = descriptor
    } catch {
      _ = close(descriptor)
      throw error
    }
  }

  /// Takes over a socket that listens already, as an inherited one does.
  package init(adopting descriptor: Int32) throws(Failure) {
    guard let bound = LoopbackEndpoint.local(of: descriptor) else { throw .system(errno) }
    self.descriptor = descriptor
    port = bound.port
  }

  deinit { _ = close(descriptor) }

  /// Gives the descriptor away: the caller closes it.
  package consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) throws(Failure) {
    var on: Int32 = 1
    guard unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw failure(errno)
    }
  }

  private static func bind(_ descriptor: Int32, _ family: LoopbackEndpoint.Family, _ port: UInt16) -> Int32 {
    switch family {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
  }

  private static func failure(_ code: Int32) -> Failure {
    switch code {
    case EADDRINUSE: .portBusy
    case EADDRNOTAVAIL, EAFNOSUPPORT: .familyUnavailable
    default: .system(code)
    }
  }
}
