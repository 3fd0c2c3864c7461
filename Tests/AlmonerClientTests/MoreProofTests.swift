import AlmonerClient
import Glibc
import LocalSocket
import Secrets
import Testing
import Wire

/// What a program asks for beside plain tokens: challenges, step-ups, monitoring.
@Suite struct MoreProofTests {
  private static let page = Wire.StepUp.Reply(stage: .verify, account: "work", url: "https://verify.example/s1")

  private func client(_ scenes: ScriptedDaemon.Scene...) throws -> (AlmonerClient, ScriptedDaemon) {
    let daemon = try ScriptedDaemon(scenes)
    return (try AlmonerClient.connect(to: daemon.path, user: geteuid()), daemon)
  }

  private func secret(_ text: String) throws -> SecretBox {
    SecretBox(unsafe try SecretBytes(copying: Array(text.utf8).span.bytes))
  }

  private func reason(_ error: any Error) -> Refusal.Reason? {
    guard case .refused(let refusal) = error as? AlmonerClientError else { return nil }
    return refusal.reason
  }

  @Test func `a challenge reaches the daemon, and what is missing comes back`() throws {
    let error = AlmonerError.stepUpRequired(
      account: "work", acrValues: ["high"], maxAge: 60, message: "more", help: "almoner token work --interactive")
    let (client, daemon) = try client(.fails(.almoner(error)))
    let challenge = AuthenticationChallenge(acrValues: ["high"], maxAge: .seconds(60))
    #expect {
      _ = try client.accessToken(account: "work", meeting: challenge)
    } throws: { reason($0) == .stepUpRequired(challenge) }
    let asked = try Wire.GetAccessToken.Parameters(strict: try #require(daemon.received.first).parameters)
    #expect(asked.acrValues == ["high"] && asked.maxAge == 60)
  }

  @Test func `a bound token comes with the proof for one request, and neither is printed`() throws {
    let token = Wire.GetAccessToken.Reply(
      accessToken: try secret("at.1"), tokenType: "DPoP", account: "work", issuer: "https://a.example", expiresIn: 300,
      generation: 7, shorter: false, refreshed: false)
    let (client, daemon) = try client(.replies([Wire.GetDPoPProof.Reply(token, proof: secret("p.r.f"))]))
    let proven = try client.provenToken(for: "POST", "https://api.example/x?y", nonce: "n1", account: "work")
    #expect(proven.withProofBytes { $0.count } == 5 && proven.token.withBytes { $0.count } == 4)
    #expect(proven.token.tokenType == "DPoP" && proven.token.generation == 7)
    #expect(!"\(proven)".contains("p.r.f") && !"\(proven)".contains("at.1"))
    #expect(
      try Wire.GetDPoPProof.Parameters(strict: try #require(daemon.received.first).parameters)
        == Wire.GetDPoPProof.Parameters(
          account: "work", method: "POST", url: "https://api.example/x?y", nonce: "n1", minValid: 60, timeout: 30))
  }

  @Test func `without a challenge none is sent`() throws {
    let (client, daemon) = try client(.replies([]))
    #expect(throws: AlmonerClientError.disconnected) { try client.accessToken() }
    let asked = try Wire.GetAccessToken.Parameters(strict: try #require(daemon.received.first).parameters)
    #expect(asked.acrValues == nil && asked.maxAge == nil)
  }

  @Test func `a step-up gives the page to open and then the approval`() throws {
    let (client, daemon) = try client(
      .streams(Self.page, .success(Wire.StepUp.Reply(stage: .approved, account: "work"))))
    let stepUp = try client.stepUp(for: .payout(amount: "12.50", currency: "EUR"), returnTo: "https://a.example/x")
    #expect(stepUp.account == "work" && stepUp.page == "https://verify.example/s1")
    try stepUp.approval()
    let call = try #require(daemon.received.first)
    #expect(call.mode == .more)
    #expect(
      try Wire.StepUp.Parameters(strict: call.parameters)
        == Wire.StepUp.Parameters(
          action: "payout", amount: "12.50", currency: "EUR", returnTo: "https://a.example/x"))
  }

  @Test func `where nothing is to be proved there is no page and nothing to wait for`() throws {
    let (client, _) = try client(.replies([Wire.StepUp.Reply(stage: .notRequired, account: "work")]))
    let stepUp = try client.stepUp(for: .bank)
    #expect(stepUp.page == nil)
    try stepUp.approval()
  }

  @Test(arguments: [StepUpFailure.declined, .expired, .cancelled, .sessionEnded])
  func `every other end says why`(failure: StepUpFailure) throws {
    let error = AlmonerError.stepUpFailed(
      account: "work", reason: .init(rawValue: failure.rawValue), message: "no", help: "")
    let (client, _) = try client(.streams(Self.page, .failure(.almoner(error))))
    let stepUp = try client.stepUp(for: .contact)
    do {
      try stepUp.approval()
      Issue.record("it was approved")
    } catch {
      #expect(reason(error) == .stepUpFailed(failure))
    }
  }

  @Test func `a stage of a later version is no approval`() throws {
    let later = Wire.StepUp.Reply(stage: .init(rawValue: "reviewed"), account: "work")
    let (client, _) = try client(.streams(Self.page, .success(later)))
    let stepUp = try client.stepUp(for: .bank)
    do {
      try stepUp.approval()
      Issue.record("it was approved")
    } catch {
      #expect(error == .unintelligible("a step-up ends with the stage reviewed"))
    }
  }

  @Test func `a monitoring token is handed out, and prints without itself`() throws {
    let secret = try unsafe SecretBox(SecretBytes(copying: Array("sentinel".utf8).span.bytes))
    let reply = Wire.GetMonitoringToken.Reply(
      monitoringToken: secret, account: "work", issuer: "https://issuer.example", expiresIn: 900)
    let (client, daemon) = try client(.replies([reply]))
    let token = try client.monitoringToken(account: "work")
    #expect(token.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } } == Array("sentinel".utf8))
    #expect(token.lifetime == .seconds(900) && token.account == "work" && token.issuer == "https://issuer.example")
    var dumped = ""
    dump(token, to: &dumped)
    #expect("\(token)" == "<monitoring token of work>" && !dumped.contains("sentinel"))
    let call = try #require(daemon.received.first)
    #expect(try Wire.GetMonitoringToken.Parameters(strict: call.parameters) == .init(account: "work"))
  }

  @Test func `monitoring that the issuer has not enabled is told as such`() throws {
    let error = AlmonerError.monitoringUnavailable(account: "work", message: "not enabled", help: "")
    let (client, _) = try client(.fails(.almoner(error)))
    #expect { _ = try client.monitoringToken() } throws: { reason($0) == .monitoringUnavailable }
  }
}
