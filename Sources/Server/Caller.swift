package import EventLoop
package import Wire

/// What a handler is told about a call beside its parameters.
package struct Caller: Sendable {
  package let peer: Peer
  /// The loop that runs the server.
  package let loop: EventLoop
  package let mode: Call.Mode
}
