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
        Content-Type: application/json\r\nUser-Agent: almoner\r\nContent-Length: 22\r\n\r\n{"refresh_token":"r1"}
        """)
  }

  @Test func `a page of HTML is an answer like any other`() async throws {
    let answer = try await answer(to: "HTTP/1.1 503 No\r\nContent-Type: text/HTML; charset=x\r\n\r\n<html>")
    #expect(answer.status == 503 && answer.contentType == "text/html" && text(answer) == "<html>")
  }

  @Test(
    arguments: [
      ("3600", 3600), ("0", 0), ("-5", 0), ("99999999999999999999999999", .max), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
      ("soon", nil), ("-", nil), ("", nil),
    ] as [(String, Int64?)])
  func `B8 a Retry-After is read however it is written`(written: String, seconds: Int64?) async throws {
    let answer = try await answer(to: "HTTP/1.1 503 No\r\nRetry-After: \(written)\r\nContent-Length: 0\r\n\r\n")
    #expect(answer.retryAfter == seconds)
  }

  @Test func `an empty body is an answer`() async throws {
    let answer = try await answer(to: "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
    #expect(answer.status == 400 && answer.body.count == 0)
  }

  @Test func `a redirect is handed back and not followed`() async throws {
    let harbour = try Harbour()
    let other = try TestServer(answering: ok("{}"))
    let server = try TestServer(
      answering: "HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n")
    let answer = try await harbour.carrier.exchange(try harbour.request(server.port))
    #expect(answer.status == 307 && other.accepted == 0)
  }

  @Test func `a body that is too long is cut and marked`() async throws {
    let answer = try await answer(to: ok(String(repeating: "x", count: 1 << 20)))
    #expect(answer.isTruncated && answer.body.count == HTTPAnswer.maximumBody)
  }

  @Test func `a body of exactly the most is whole`() async throws {
    let answer = try await answer(to: ok(String(repeating: "x", count: HTTPAnswer.maximumBody)))
    #expect(!answer.isTruncated && answer.body.count == HTTPAnswer.maximumBody)
  }

  @Test(arguments: Broken.allCases)
  func `what is no whole answer leaves the fate unknown`(_ broken: Broken) async throws {
    await #expect { _ = try await answer(to: broken.text) } throws: {
      if case .unknown? = $0 as? CarrierError { true } else { false }
    }
  }

  @Test func `a server that says nothing is waited for no longer than the limit`() async throws {
    var limits = CourierLimits()
    limits.outcome = .milliseconds(300)
    let harbour = try Harbour(limits)
    let gate = Gate()
    let server = try TestServer { _ in gate.pass() }
    await #expect(throws: CarrierError.unknown("the courier did not answer in time")) {
      _ = try await harbour.carrier.exchange(try harbour.request(server.port))
    }
    await harbour.carrier.allEnded()
    gate.open()
  }

  @Test(arguments: [
    "http://192.0.2.1/", "http://issuer.example/", "http://localhost.example/", "http://u:p@127.0.0.1/",
    "ftp://127.0.0.1/", "file:///etc/passwd", "https://u@issuer.example/", "https://issuer.example/ x", "",
    "http://127.0.0.1:99999/", "http://2130706433.example/",
  ])
  func `a URL that breaks the rules of egress is never connected to`(_ url: String) async throws {
    let harbour = try Harbour()
    let request = OutgoingRequest(.get, url, egress: EgressPolicy(plainLoopback: true))
    await #expect { _ = try await harbour.carrier.exchange(request) } throws: {
      if case .notSent? = $0 as? CarrierError { true } else { false }
    }
  }

  @Test func `plain http is refused where the policy does not allow it`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let request = OutgoingRequest(.get, "http://127.0.0.1:\(server.port)/", egress: EgressPolicy())
    await #expect(throws: (any Error).self) { _ = try await harbour.carrier.exchange(request) }
    #expect(server.accepted == 0)
  }

  @Test func `a bearer token goes into its header`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let token = unsafe SecretBox(try SecretBytes(copying: Array("at.1".utf8).span.bytes))
    let url = "http://localhost:\(server.port)/session/"
    let policy = EgressPolicy(plainLoopback: true)
    _ = try await harbour.carrier.exchange(OutgoingRequest(.delete, url, bearer: token, egress: policy))
    #expect(
      try await server.arrived.wait() == """
        DELETE /session/ HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAccept: application/json\r\n\
        User-Agent: almoner\r\nAuthorization: Bearer at.1\r\n\r\n
        """)
  }

  @Test func `a client's credentials go into the same header`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let credentials = unsafe SecretBox(try SecretBytes(copying: Array("YTpi".utf8).span.bytes))
    let url = "http://localhost:\(server.port)/token"
    let policy = EgressPolicy(plainLoopback: true)
    _ = try await harbour.carrier.exchange(OutgoingRequest(.delete, url, basic: credentials, egress: policy))
    #expect(try await server.arrived.wait().contains("\r\nAuthorization: Basic YTpi\r\n"))
  }

  @Test func `a proof goes into its header, and the token beside it by that name`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let token = unsafe SecretBox(try SecretBytes(copying: Array("at.1".utf8).span.bytes))
    let proof = unsafe SecretBox(try SecretBytes(copying: Array("p.r.f".utf8).span.bytes))
    let request = OutgoingRequest(
      .get, "http://localhost:\(server.port)/me", bearer: token, egress: EgressPolicy(plainLoopback: true))
    _ = try await harbour.carrier.exchange(request.with(dpopProof: proof))
    #expect(try await server.arrived.wait().hasSuffix("\r\nAuthorization: DPoP at.1\r\nDPoP: p.r.f\r\n\r\n"))
  }

  @Test(
    arguments: [
      ("DPoP-Nonce: eyJ7S_zG.eyJH0-Z\r\n", "eyJ7S_zG.eyJH0-Z"), ("dpop-nonce: ~!#\r\n", "~!#"), ("", nil),
      ("DPoP-Nonce: a b\r\n", nil), ("DPoP-Nonce:\r\n", nil), ("DPoP-Nonce: a\"\r\n", nil),
      ("DPoP-Nonce: \(String(repeating: "n", count: 512))\r\n", String(repeating: "n", count: 512)),
      ("DPoP-Nonce: \(String(repeating: "n", count: 513))\r\n", nil),
    ] as [(String, String?)])
  func `B20 a nonce is brought back if it is one`(field: String, nonce: String?) async throws {
    let answer = try await answer(to: "HTTP/1.1 400 Bad Request\r\n\(field)Content-Length: 0\r\n\r\n")
    #expect(answer.dpopNonce == nonce)
  }

  @Test func `a bearer token with a line break is never sent`() async throws {
    let harbour = try Harbour()
    let token = unsafe SecretBox(try SecretBytes(copying: Array("at\r\nX-Evil: 1".utf8).span.bytes))
    let request = OutgoingRequest(
      .get, "http://127.0.0.1:9/", bearer: token, egress: EgressPolicy(plainLoopback: true))
    await #expect(throws: CarrierError.notSent("the token has bytes that no header may carry")) {
      _ = try await harbour.carrier.exchange(request)
    }
  }

  private func answer(to text: String) async throws -> HTTPAnswer {
    let harbour = try Harbour()
    let server = try TestServer(answering: text)
    return try await harbour.carrier.exchange(try harbour.request(server.port))
  }
}

/// Answers that are none.
enum Broken: CaseIterable {
  case manyFields, longField, cutBody, noHTTP, otherProtocol, nothing

  var text: String {
    switch self {
    case .manyFields: ok("{}", String(repeating: "X-A: b\r\n", count: 200))
    case .longField: ok("{}", "X-A: " + String(repeating: "b", count: 40 << 10) + "\r\n")
    case .cutBody: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ncut"
    case .noHTTP: "HTTP/0.9 hello"
    case .otherProtocol: "220 smtp ready\r\n"
    case .nothing: ""
    }
  }
}
