import Courier
import EventLoop
import Exchange
import Secrets
import Testing
import Time
import Vault

/// Exchanges without a journal, each by a real courier.
struct ExchangeTests {
  @Test func `an answer comes back whole`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{\"a\":1}", "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: 7\r\n"))
    let answer = try await harbour.carrier.exchange(try harbour.request(server.port))
    #expect(answer.status == 200)
    #expect(text(answer) == "{\"a\":1}")
    #expect(answer.date == WallInstant(seconds: 784_111_777))
    #expect(answer.retryAfter == 7)
    #expect(answer.contentType == "application/json")
  }

  @Test func `the request is plain HTTP 1.1 with nothing that was not asked for`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    _ = try await harbour.carrier.exchange(try harbour.request(server.port, "/a/../b?c=d"))
    let request = try await server.arrived.wait()
    #expect(
      request == """
        POST /a/../b?c=d HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAccept: application/json\r\n\
        Content-Type: application/json\r\nContent-Length: 22\r\n\r\n{"refresh_token":"r1"}
        """)
  }
}
