import AlmonerClient
import Glibc
import JSON
import LocalSocket
import Secrets
import Testing
import Wire

@Suite struct AlmonerClientTests {
  @Test func `a token is handed out with what belongs to it`() throws {
    let token = try client(of: ScriptedDaemon([.replies([token("sentinel")])])).accessToken()
    #expect(token.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } } == Array("sentinel".utf8))
    #expect(token.account == "work")
    #expect(token.lifetime == .seconds(300))
    #expect(token.generation == 3)
    #expect(token.isShorterThanAsked)
    #expect(!token.wasRefreshed)
  }

  @Test func `a token prints without itself`() throws {
    let token = try client(of: ScriptedDaemon([.replies([token("sentinel")])])).accessToken()
    var dumped = ""
    dump(token, to: &dumped)
    #expect("\(token)" == "<access token of work, generation 3>")
    #expect(!dumped.contains("sentinel"))
  }

  @Test func `what a body throws comes through`() throws {
    struct Odd: Error {}
    let token = try client(of: ScriptedDaemon([.replies([token("x")])])).accessToken()
    #expect(throws: Odd.self) { try token.withBytes { _ throws(Odd) in throw Odd() } }
  }

  @Test(arguments: [
    (Duration.seconds(-5), Duration.seconds(0), Int64(0), Int64(1)), (.milliseconds(1500), .milliseconds(1), 2, 1),
    (.seconds(60), .seconds(30), 60, 30), (.seconds(Int64.max), .seconds(Int64.max), 2_592_000, 120),
  ])
  func `what is asked is what the daemon takes`(minValid: Duration, timeout: Duration, life: Int64, wait: Int64) throws
  {
    let daemon = try ScriptedDaemon([.replies([token("x")])])
    _ = try client(of: daemon).accessToken(account: "work", minValid: minValid, timeout: timeout)
    let call = try #require(daemon.received.first)
    #expect(
      try Wire.GetAccessToken.Parameters(strict: call.parameters)
        == Wire.GetAccessToken.Parameters(account: "work", minValid: life, timeout: wait))
  }

  @Test func `a rejected token is reported by account and generation`() throws {
    let daemon = try ScriptedDaemon([.replies([token("x")]), .replies([Wire.ReportRejected.Reply(refreshing: true)])])
    let client = try client(of: daemon)
    #expect(try client.reportRejected(client.accessToken()))
    #expect(
      try Wire.ReportRejected.Parameters(strict: daemon.received[1].parameters)
        == Wire.ReportRejected.Parameters(account: "work", generation: 3))
  }

  @Test func `a refusal says why, what happened and what helps`() throws {
    let error = AlmonerError.temporary(account: "work", message: "The issuer is away.", retryAfter: 7, help: "wait")
    let client = try client(of: ScriptedDaemon([.fails(.almoner(error))]))
    #expect {
      try client.accessToken()
    } throws: { error in
      guard case .refused(let refusal) = error as? AlmonerClientError else { return false }
      return refusal.reason == .temporary(retryAfter: .seconds(7)) && refusal.account == "work"
        && "\(AlmonerClientError.refused(refusal))" == "The issuer is away. Try: wait"
    }
  }

  @Test func `an error of varlink's is passed on by name`() throws {
    let client = try client(of: ScriptedDaemon([.fails(.service(.invalidParameter("account")))]))
    #expect {
      try client.accessToken()
    } throws: { error in
      guard case .refused(let refusal) = error as? AlmonerClientError else { return false }
      return refusal.reason == .other("org.varlink.service.InvalidParameter")
    }
  }

  @Test func `a daemon that closes is told from one that answers`() throws {
    let client = try client(of: ScriptedDaemon([.replies([])]))
    #expect(throws: AlmonerClientError.disconnected) { try client.accessToken() }
  }

  @Test(arguments: ["x\0", "[]\0", "{\"parameters\":[]}\0", "{\"parameters\":{\"accessToken\":5}}\0"])
  func `an answer that is none is not understood`(answer: String) throws {
    let client = try client(of: ScriptedDaemon([.init(bytes: Array(answer.utf8), stays: true)]))
    #expect {
      try client.accessToken()
    } throws: { error in
      if case .unintelligible = error as? AlmonerClientError { true } else { false }
    }
  }

  @Test func `no daemon is not running`() throws {
    let path = try SocketPath("/tmp/almoner-client-none/almoner.sock", isExplicit: true)
    #expect(throws: AlmonerClientError.notRunning) { try AlmonerClient.connect(to: path, user: geteuid()) }
  }

  @Test func `another person's daemon is not asked`() throws {
    let daemon = try ScriptedDaemon([])
    #expect {
      try AlmonerClient.connect(to: daemon.path, user: geteuid() + 1)
    } throws: { error in
      if case .unreachable = error as? AlmonerClientError { true } else { false }
    }
    #expect(daemon.received.isEmpty)
  }

  private func token(_ text: String) throws -> Wire.GetAccessToken.Reply {
    let bytes = Array(text.utf8)
    let secret = SecretBox(try unsafe SecretBytes(copying: bytes.span.bytes))
    return Wire.GetAccessToken.Reply(
      accessToken: secret, tokenType: "Bearer", account: "work", issuer: "https://issuer.example", expiresIn: 300,
      generation: 3, shorter: true, refreshed: false)
  }

  private func client(of daemon: ScriptedDaemon) throws -> AlmonerClient {
    try AlmonerClient.connect(to: daemon.path, user: geteuid())
  }
}
