import Glibc
import HTTPServer
import Testing

/// Keeps every request waiting.
private final class Waiter: HTTPHandler {
  var waiting: [HTTPExchange] = []

  func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome {
    waiting.append(exchange)
    return .wait
  }
}

@Suite(.timeLimit(.minutes(1))) struct PolledServerTests {
  @Test func `a request that waits is answered when its owner says so, others meanwhile`() throws {
    let listener = try LoopbackListener(.v4, port: 0)
    let port = listener.port
    let waiter = Waiter()
    let server = try HTTPServer(polledOn: [listener.release()], limits: HTTPLimits(), handler: waiter)
    let first = RawClient(port: port)
    let second = RawClient(port: port)
    first.send("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    second.send("GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    turn(server) { waiter.waiting.count == 2 }
    for exchange in waiter.waiting.reversed() { exchange.finish(.respond(HTTPResponse(204))) }
    server.run()
    let answers = collect(server, first, second)
    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 204") })
  }

  @Test func `a server that goes closes what waits`() throws {
    let listener = try LoopbackListener(.v4, port: 0)
    let port = listener.port
    let waiter = Waiter()
    var server: HTTPServer? = try HTTPServer(polledOn: [listener.release()], limits: HTTPLimits(), handler: waiter)
    let client = RawClient(port: port)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    if let server { turn(server) { waiter.waiting.count == 1 } }
    server = nil
    #expect(client.receiveAll() == "")
  }

  /// Runs the server until `done`, each time waiting until it has something to do.
  private func turn(_ server: HTTPServer, until done: () -> Bool) {
    while !done() {
      var watched = server.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let patience = min(server.timeout ?? .seconds(5), .seconds(5))
      _ = unsafe poll(&watched, nfds_t(watched.count), Int32(patience / .milliseconds(1)))
      server.run()
    }
  }

  private func collect(_ server: HTTPServer, _ first: borrowing RawClient, _ second: borrowing RawClient) -> [String] {
    for descriptor in [first.descriptor, second.descriptor] {
      turn(server) {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, 0) == 1
      }
    }
    return [first.receiveAll(), second.receiveAll()]
  }
}
