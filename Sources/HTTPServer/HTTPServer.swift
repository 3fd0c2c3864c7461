import CMicroHTTPD
import Glibc

/// Decides what becomes of each request.
package protocol HTTPHandler: AnyObject {
  /// Whether a connection is taken at all, asked before a byte of it is read; otherwise it is closed at once.
  func admits(_ peer: LoopbackEndpoint, connectedTo local: LoopbackEndpoint) -> Bool

  /// Called once a request is whole. A server with threads calls it on many threads at once and lets it block.
  func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome
}

extension HTTPHandler {
  /// Everybody, unless the handler says otherwise.
  package func admits(_ peer: LoopbackEndpoint, connectedTo local: LoopbackEndpoint) -> Bool { true }
}

/// An HTTP/1.1 server on loopback sockets: libmicrohttpd behind a small face.
///
/// Either it runs itself, with a thread for each connection, or its owner runs it: waits until one of `descriptors`
/// is readable or `timeout` is over, then calls ``run()``. All on one thread, and the handler may keep requests waiting.
package final class HTTPServer {
  /// libmicrohttpd would not start, as a rule for want of descriptors or memory.
  package struct CannotStart: Error {}

  /// One for each socket.
  private let daemons: [HTTPDaemon]

  /// Serves on threads of its own until the process ends or the server is released.
  ///
  /// Takes the listening sockets over: they are closed with the server, also when it does not start.
  package convenience init(
    threadsOn listeners: [Int32], limits: HTTPLimits, handler: any HTTPHandler & Sendable
  ) throws(CannotStart) {
    let flags = MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_USE_THREAD_PER_CONNECTION.rawValue
    try self.init(listeners, flags, limits, handler)
  }

  /// Serves when its owner calls ``run()``. Takes the listening sockets over like the other.
  package convenience init(
    polledOn listeners: [Int32], limits: HTTPLimits, handler: any HTTPHandler
  ) throws(CannotStart) {
    let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    try self.init(listeners, flags, limits, handler)
  }

  private init(
    _ listeners: [Int32], _ flags: UInt32, _ limits: HTTPLimits, _ handler: any HTTPHandler
  ) throws(CannotStart) {
    var started: [HTTPDaemon] = []
    for (position, descriptor) in listeners.enumerated() {
      guard let daemon = HTTPDaemon(descriptor, flags: flags, limits: limits, handler: handler) else {
        for unused in listeners[position...] { _ = close(unused) }
        throw CannotStart()
      }
      started.append(daemon)
    }
    daemons = started
  }

  /// The descriptors to watch for reading; only of a server that its owner runs.
  package var descriptors: [Int32] { daemons.map(\.pollDescriptor) }

  /// How long ``run()`` may be put off when no descriptor becomes readable; nil: for ever.
  package var timeout: Duration? { daemons.compactMap(\.timeout).min() }

  /// How many connections are open.
  package var connections: Int { daemons.reduce(0) { $0 + $1.connections } }

  /// Does whatever can be done without waiting. Call it also after ``HTTPExchange/finish(_:)``.
  package func run() { for daemon in daemons { daemon.run() } }
}
