import CSystemd
import Glibc

/// The sockets that a service manager opened for us (`LISTEN_PID`, `LISTEN_FDS`; sd_listen_fds(3)).
package enum SocketActivation {
  /// The first descriptor that is passed.
  private static let first: CInt = 3

  /// The passed descriptors, now close-on-exec and ours to close. Empty when we were not activated.
  ///
  /// Takes the variables out of the environment, so no child believes that they are meant for it; call it once, before
  /// there are threads. Throws ``ActivationError`` when one of them is no listening Unix stream socket.
  package static func listenDescriptors() throws(ActivationError) -> [CInt] {
    let count = sd_listen_fds(1)
    guard count >= 0 else { throw .malformed(-count) }
    let descriptors = (0..<count).map { first + $0 }
    for descriptor in descriptors where sd_is_socket_unix(descriptor, streamType, 1, nil, 0) <= 0 {
      throw .notOurKind(descriptor)
    }
    return descriptors
  }

  private static let streamType = CInt(SOCK_STREAM.rawValue)
}

/// Why the passed sockets are of no use.
package enum ActivationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The variables make no sense; an errno.
  case malformed(CInt)
  /// This descriptor is no listening Unix stream socket.
  case notOurKind(CInt)

  package var description: String {
    switch self {
    case .malformed(let code): "LISTEN_FDS makes no sense: error \(code)"
    case .notOurKind(let descriptor): "descriptor \(descriptor) is no listening Unix stream socket"
    }
  }
}
