import Glibc
import HTTPServer
import Secrets
import Synchronization
import Testing

/// Answers every request with what it saw of it, or as told.
private final class Mirror: HTTPHandler, Sendable {
  let outcome: HTTPOutcome?

  init(_ outcome: HTTPOutcome? = nil) { self.outcome = outcome }

  func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome {
    outcome ?? .respond(HTTPResponse(200, type: "text/plain", Self.describe(request)))
  }

  static func describe(_ request: HTTPRequest) -> String {
    let query = request.query.map(text) ?? "-"
    let body = request.body.map(text) ?? "-"
    let twice = request.values(of: "x-twice").joined(separator: "+")
    return "\(request.method) \(request.path) \(query) \(body) \(twice)"
  }

  private static func text(_ secret: SecretBox) -> String {
    unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

private func server(
  _ handler: any HTTPHandler & Sendable = Mirror(), limits: HTTPLimits = HTTPLimits()
) throws -> (HTTPServer, UInt16) {
  let listener = try LoopbackListener(.v4, port: 0)
  let port = listener.port
  return (try HTTPServer(threadsOn: [listener.release()], limits: limits, handler: handler), port)
}

private let end = "Host: localhost\r\nConnection: close\r\n\r\n"

@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
  @Test func `path and query arrive as they were sent`() throws {
    let (running, port) = try server()
    let answer = withExtendedLifetime(running) {
      RawClient.exchange(port, "GET /a%20b?x=%41&x=+&y HTTP/1.1\r\n" + end)
    }
    #expect(answer.hasSuffix("\r\n\r\nGET /a%20b x=%41&x=+&y - "))
  }

  @Test func `header lines with one name all arrive in order`() throws {
    let (running, port) = try server()
    let answer = withExtendedLifetime(running) {
      RawClient.exchange(port, "GET / HTTP/1.1\r\nX-Twice: a\r\nx-twice: b\r\n" + end)
    }
    #expect(answer.hasSuffix("a+b"))
  }

  @Test func `a body arrives whole, announced or in chunks`() throws {
    let (running, port) = try server()
    let announced = withExtendedLifetime(running) {
      RawClient.exchange(port, "POST /t HTTP/1.1\r\nContent-Length: 5\r\n" + end + "hello")
    }
    let chunked = withExtendedLifetime(running) {
      RawClient.exchange(
        port, "POST /t HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + end + "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")
    }
    #expect(announced.hasSuffix("POST /t - hello ") && chunked.hasSuffix("POST /t - hello "))
  }

  @Test func `what is too much is refused with its own status`() throws {
    let limits = HTTPLimits(target: 64, headerCount: 8, headerBytes: 4096, body: 16)
    let (running, port) = try server(limits: limits)
    let long = String(repeating: "a", count: 80)
    let many = String(repeating: "X: y\r\n", count: 9)
    let statuses = withExtendedLifetime(running) {
      [
        RawClient.exchange(port, "GET /\(long) HTTP/1.1\r\n" + end),
        RawClient.exchange(port, "GET / HTTP/1.1\r\n" + many + end),
        RawClient.exchange(port, "POST / HTTP/1.1\r\nContent-Length: 17\r\n" + end),
      ].map { $0.prefix(12) }
    }
    #expect(statuses == ["HTTP/1.1 414", "HTTP/1.1 431", "HTTP/1.1 413"])
  }

  @Test func `an unannounced body over the limit closes the connection`() throws {
    let (running, port) = try server(limits: HTTPLimits(body: 4))
    let answer = withExtendedLifetime(running) {
      RawClient.exchange(port, "POST /t HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + end + "5\r\nhello\r\n0\r\n\r\n")
    }
    #expect(answer == "")
  }

  @Test func `a handler can close without a word`() throws {
    let (running, port) = try server(Mirror(.close))
    #expect(withExtendedLifetime(running) { RawClient.exchange(port, "GET / HTTP/1.1\r\n" + end) } == "")
  }

  @Test func `a slow body arrives whole`() throws {
    let slow = HTTPResponse(200, body: Array("abcdefg".utf8), pace: .slow(bytes: 2, pause: .milliseconds(1)))
    let (running, port) = try server(Mirror(.respond(slow)))
    #expect(withExtendedLifetime(running) { RawClient.exchange(port, "GET / HTTP/1.1\r\n" + end) }.hasSuffix("abcdefg"))
  }

  @Test func `a cut body ends early`() throws {
    let cut = HTTPResponse(200, body: Array("abcdefg".utf8), pace: .cut(after: 3))
    let (running, port) = try server(Mirror(.respond(cut)))
    let answer = withExtendedLifetime(running) { RawClient.exchange(port, "GET / HTTP/1.1\r\n" + end) }
    #expect(answer.contains("Content-Length: 7\r\n") && answer.hasSuffix("\r\n\r\nabc"))
  }

  @Test func `the peer's port is the client's`() throws {
    final class Peer: HTTPHandler, Sendable {
      let seen = Mutex<UInt16?>(nil)
      func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome {
        seen.withLock { $0 = request.peer?.port }
        return .respond(HTTPResponse(204))
      }
    }
    let peer = Peer()
    let (running, port) = try server(peer)
    let client = RawClient(port: port)
    client.send("GET / HTTP/1.1\r\n" + end)
    _ = withExtendedLifetime(running) { client.receiveAll() }
    #expect(peer.seen.withLock { $0 } == client.port)
  }

  @Test func `a peer that is not admitted is closed before a byte is read`() throws {
    final class Doorman: HTTPHandler, Sendable {
      func admits(_ peer: LoopbackEndpoint, connectedTo local: LoopbackEndpoint) -> Bool {
        peer.address != [127, 0, 0, 1] || local.address != [127, 0, 0, 1]
      }
      func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome { .respond(HTTPResponse(204)) }
    }
    let (running, port) = try server(Doorman())
    #expect(withExtendedLifetime(running) { RawClient.exchange(port, "GET / HTTP/1.1\r\n" + end) } == "")
  }

  @Test func `a port that is taken says so`() throws {
    let first = try LoopbackListener(.v4, port: 0)
    #expect(throws: LoopbackListener.Failure.portBusy) { _ = try LoopbackListener(.v4, port: first.port) }
  }
}
