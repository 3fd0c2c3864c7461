/// What a server accepts from whoever connects. Every number a peer chooses meets one of these.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes of the request target (path and query); more draws 414.
  package var target: Int
  /// How many header lines a request may have; more draws 431.
  package var headerCount: Int
  /// Bytes of the request line and all header lines together; more draws 431 or 414.
  package var headerBytes: Int
  /// Bytes of the request's body; more draws 413, or a closed connection when the length was not announced.
  package var body: Int
  /// Connections at once; the kernel's backlog holds the others.
  package var connections: Int
  /// Whole seconds after which a connection that neither sends nor takes anything is closed (monotonic clock).
  package var idleSeconds: Int

  package init(
    target: Int = 8 << 10, headerCount: Int = 64, headerBytes: Int = 24 << 10, body: Int = 16 << 10,
    connections: Int = 64, idleSeconds: Int = 10
  ) {
    self.target = target
    self.headerCount = headerCount
    self.headerBytes = headerBytes
    self.body = body
    self.connections = connections
    self.idleSeconds = idleSeconds
  }
}
