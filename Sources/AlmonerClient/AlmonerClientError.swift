import LocalSocket

/// Why a call brought no answer.
public enum AlmonerClientError: Error, Equatable, Sendable {
  /// No daemon serves the socket.
  case notRunning
  /// The socket cannot be used; the text says why: another person's, no runtime directory, …
  case unreachable(String)
  /// No answer in time.
  case timedOut
  /// The daemon closed the connection: it ended, or it closes who does not read.
  case disconnected
  /// Who answered does not speak the protocol.
  case unintelligible(String)
  /// The daemon answered with an error.
  case refused(Refusal)

  init(_ error: LocalSocketError) {
    switch error {
    case .absent, .refused: self = .notRunning
    case .timedOut: self = .timedOut
    case .closed: self = .disconnected
    case .frameTooLong, .unexpectedDescriptors: self = .unintelligible("\(error)")
    case .foreignServer, .noRuntimeDirectory, .pathTooLong, .pathNotAbsolute, .untrustedDirectory, .badInheritance,
      .system:
      self = .unreachable("\(error)")
    }
  }
}

extension AlmonerClientError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .notRunning: "Almoner is not running. Start it with: systemctl --user start almoner.socket"
    case .unreachable(let reason): "Almoner cannot be reached: \(reason)."
    case .timedOut: "Almoner did not answer in time."
    case .disconnected: "Almoner closed the connection."
    case .unintelligible(let reason): "What answers at Almoner's socket is not understood: \(reason)."
    case .refused(let refusal): refusal.help.isEmpty ? refusal.message : "\(refusal.message) Try: \(refusal.help)"
    }
  }
}
