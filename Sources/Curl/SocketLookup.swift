/// Where the kernel is asked about TCP sockets: by questions where it takes them, from its tables otherwise.
///
/// Made before the process confines itself.
package final class SocketLookup: Sendable {
  package enum Way: CaseIterable, Sendable {
    /// sock_diag(7): microseconds.
    case questions
    /// `/proc/net/tcp` and `tcp6`: ten milliseconds and more.
    case tables
  }

  private let diagnosis: SocketDiagnosis?
  private let files: SocketTableFiles?

  /// Whoever leaves a way out gets no answer where only that one is left.
  package init(_ ways: [Way] = Way.allCases) {
    diagnosis = ways.contains(.questions) ? SocketDiagnosis() : nil
    files = ways.contains(.tables) ? SocketTableFiles() : nil
  }

  /// What has to do with a connection from `client` to `server`: who listens on the port, and the accepted end. Nil when
  /// the kernel does not tell.
  package func table(from client: SocketTable.Endpoint, to server: SocketTable.Endpoint) -> SocketTable? {
    diagnosis?.table(from: client, to: server) ?? files?.read(port: server.port)
  }
}
