import CLinux
import Glibc

/// Why the socket could not be had or used. Each `errno` is mapped here, once.
package enum LocalSocketError: Error, Equatable, Sendable {
  /// Nothing is at the path (ENOENT): no daemon, or none yet.
  case absent
  /// Something is at the path and nobody listens (ECONNREFUSED): a daemon that died.
  case refused
  /// Who listens is another person.
  case foreignServer(user: UInt32)
  /// Neither `XDG_RUNTIME_DIR` nor a directory `/run/user/UID` that is ours alone. A shared directory is never used.
  case noRuntimeDirectory
  /// The path is longer than an address holds (107 bytes).
  case pathTooLong
  /// `ALMONER_SOCKET` or `XDG_RUNTIME_DIR` is not an absolute path.
  case pathNotAbsolute
  /// The directory is not a directory that only we can enter; the text says what is wrong with it.
  case untrustedDirectory(String)
  /// What systemd passed (`LISTEN_FDS`) is not one listening socket of the file system's namespace.
  case badInheritance(String)
  /// Nothing came, or nothing could be sent, before the deadline.
  case timedOut
  /// The other side closed or reset the connection.
  case closed
  /// The other side sends a frame above the limit.
  case frameTooLong
  /// The other side sends descriptors, which have no place here.
  case unexpectedDescriptors
  /// Anything else the kernel said.
  case system(call: String, code: Int32)

  /// Whether no daemon serves this socket, so that one may be started.
  package var isNotRunning: Bool { self == .absent || self == .refused }

  /// The socket's directory `path` cannot be made, as `errno` says.
  static func unmakable(_ path: String) -> Self {
    .untrustedDirectory("\(path) cannot be made: \(unsafe String(cString: clinux_error_text(errno)))")
  }

  /// The error of a call that left `code` in `errno`.
  static func from(_ call: String, _ code: Int32 = errno) -> Self {
    switch code {
    case ENOENT: .absent
    case ECONNREFUSED: .refused
    case EPIPE, ECONNRESET: .closed
    case EAGAIN, ETIMEDOUT: .timedOut
    case ENAMETOOLONG: .pathTooLong
    default: .system(call: call, code: code)
    }
  }
}

extension LocalSocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .absent: "there is no socket"
    case .refused: "nobody listens at the socket"
    case .foreignServer(let user): "the socket belongs to another user (uid \(user))"
    case .noRuntimeDirectory: "XDG_RUNTIME_DIR is not set and /run/user/UID is not ours alone"
    case .pathTooLong: "the socket's path is longer than \(CLINUX_SOCKET_PATH_LIMIT) bytes"
    case .pathNotAbsolute: "the socket's path is not absolute"
    case .untrustedDirectory(let reason): "the socket's directory \(reason)"
    case .badInheritance(let reason): "what was passed by LISTEN_FDS \(reason)"
    case .timedOut: "no answer in time"
    case .closed: "the connection was closed"
    case .frameTooLong: "a message was too long"
    case .unexpectedDescriptors: "a message came with descriptors"
    case .system(let call, let code): "\(call): \(unsafe String(cString: clinux_error_text(code)))"
    }
  }
}
