import Secrets
import Testing
import Wire

@Suite struct ProofCommandTests {
  private func secret(_ text: String) throws -> SecretBox {
    var buffer = WipedBuffer()
    buffer.append(text)
    return SecretBox(try buffer.takeSecret())
  }

  private func reply(_ proof: String = "p.r.f") throws -> [UInt8] {
    frame(
      Wire.GetDPoPProof.Reply(
        Wire.GetAccessToken.Reply(
          accessToken: try secret("at.1"), tokenType: "DPoP", account: "work", issuer: "https://a.example",
          expiresIn: 300, generation: 7, shorter: false, refreshed: false),
        proof: try secret(proof)))
  }

  @Test func `two header fields are all of the answer`() throws {
    let run = try CommandRun("proof work --url https://api.example/x --method POST --nonce n1", [reply()])
    #expect(run.status == 0 && run.output == "Authorization: DPoP at.1\nDPoP: p.r.f\n" && run.errors.isEmpty)
  }

  @Test func `a proof that would forge a line is refused, and not repeated`() throws {
    let run = try CommandRun("proof --url https://api.example/x", [reply("a\nevil")])
    #expect(run.status == 1 && !run.output.contains("evil") && !run.errors.contains("evil"))
  }

  @Test func `JSON has both, and what they belong to`() throws {
    let run = try CommandRun("proof --url https://api.example/x --json", [reply()])
    #expect(
      run.output
        == #"{"format":1,"accessToken":"at.1","tokenType":"DPoP","account":"work","issuer":"https://a.example","#
        + #""expiresIn":300,"generation":7,"shorter":false,"refreshed":false,"proof":"p.r.f"}"# + "\n")
  }

  @Test func `without an address there is nothing to prove`() throws {
    let run = try CommandRun("proof work", [])
    #expect(run.status == 2 && run.errors.contains("--url is needed"))
  }
}
