import Secrets
import Testing
import Wire

@Suite struct MonitoringTokenCommandTests {
  private func reply(_ text: String) throws -> [UInt8] {
    var token = WipedBuffer()
    token.append(text)
    return frame(
      Wire.GetMonitoringToken.Reply(
        monitoringToken: SecretBox(try token.takeSecret()), account: "work", issuer: "https://a.example",
        expiresIn: 900))
  }

  @Test func `the credential and one newline are all of the answer`() throws {
    let run = try CommandRun("monitoring-token work", [reply("cred.1")])
    #expect(run.status == 0 && run.output == "cred.1\n" && run.errors.isEmpty)
  }

  @Test func `a credential that would forge a line is refused, and not repeated`() throws {
    let run = try CommandRun("monitoring-token", [reply("a\nevil")])
    #expect(run.status == 1 && run.output.isEmpty && !run.errors.contains("evil"))
  }

  @Test func `JSON has its life`() throws {
    let run = try CommandRun("monitoring-token --json", [reply("cred.1")])
    #expect(
      run.output
        == #"{"format":1,"monitoringToken":"cred.1","account":"work","issuer":"https://a.example","expiresIn":900}"#
        + "\n")
  }

  @Test func `not enabled has a word of its own`() throws {
    let error = AlmonerError.monitoringUnavailable(account: "work", message: "work: not enabled", help: "")
    let run = try CommandRun("monitoring-token --json", [frame(error)])
    #expect(run.status == 1 && run.errors.contains("\"error\":\"monitoring-unavailable\""))
  }
}
