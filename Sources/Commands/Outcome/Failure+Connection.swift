import LocalSocket
import Wire

extension Failure {
  /// No connection could be had.
  init(noDaemon error: LocalSocketError) {
    self.init(
      .noDaemon, code: "no-daemon", "the daemon cannot be reached: \(error)", isTemporary: error == .timedOut,
      help: "almoner doctor")
  }

  /// A connection that was there failed.
  init(lost error: LocalSocketError) {
    switch error {
    case .timedOut: self.init(.temporary, code: "timeout", "the daemon did not answer in time", isTemporary: true)
    case .closed:
      self.init(.temporary, code: "closed", "the daemon ended before it answered", isTemporary: true)
    case .absent, .refused, .foreignServer, .noRuntimeDirectory, .pathTooLong, .pathNotAbsolute, .untrustedDirectory,
      .badInheritance, .frameTooLong, .unexpectedDescriptors, .system:
      self.init(.failure, code: "connection", "the connection to the daemon failed: \(error)", help: "almoner doctor")
    }
  }

  /// What came is no reply.
  init(_ error: ReplyError) {
    let what =
      switch error {
      case .malformed(let reason): "\(reason)"
      case .invalid(let reason): "\(reason)"
      }
    self.init(
      .failure, code: "protocol", "the daemon's answer cannot be understood: \(what)", help: "almoner doctor")
  }
}
