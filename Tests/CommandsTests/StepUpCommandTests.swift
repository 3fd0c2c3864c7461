import Testing
import Wire

@Suite struct StepUpCommandTests {
  private let page = frame(
    Wire.StepUp.Reply(stage: .verify, account: "work", url: "https://verify.example/s1"), continues: true)
  private let approved = frame(Wire.StepUp.Reply(stage: .approved, account: "work"))

  @Test func `the page is shown and the approval is the answer`() throws {
    let run = try CommandRun("step-up work --action bank --no-browser", [page, approved])
    #expect(run.status == 0 && run.output == "work: approved\n")
    #expect(run.errors.contains("https://verify.example/s1"))
  }

  @Test func `nothing is opened when nothing is to be proved`() throws {
    let reply = frame(Wire.StepUp.Reply(stage: .notRequired, account: "work"))
    let run = try CommandRun("step-up --action bank", environment: ["BROWSER": "/bin/false"], [reply])
    #expect(run.status == 0 && run.output == "work: nothing more to prove\n" && run.errors.isEmpty)
  }

  @Test func `JSON has the last stage`() throws {
    let run = try CommandRun("step-up --action bank --no-browser --json", [page, approved])
    #expect(run.output == "{\"format\":1,\"stage\":\"approved\",\"account\":\"work\"}\n")
  }

  @Test func `the options reach the daemon`() throws {
    let words = "step-up work --action payout --amount 12.50 --currency EUR --return-to https://a.example/x"
    let run = try CommandRun(words, [approved])
    let parameters = try Wire.StepUp.Parameters(members: #require(run.calls.first).parameters)
    #expect(
      parameters
        == Wire.StepUp.Parameters(
          account: "work", action: "payout", amount: "12.50", currency: "EUR", returnTo: "https://a.example/x"))
    #expect(try #require(run.calls.first).mode == .more)
  }

  @Test(
    arguments: [
      (Wire.StepUpFailure.declined, 6), (.expired, 5), (.cancelled, 8), (.sessionEnded, 3),
    ] as [(Wire.StepUpFailure, Int32)])
  func `every end without an approval has its status and no answer`(
    reason: Wire.StepUpFailure, status: Int32
  ) throws {
    let error = AlmonerError.stepUpFailed(account: "work", reason: reason, message: "work: m", help: "")
    let run = try CommandRun("step-up --action bank --no-browser", [page, frame(error)])
    #expect(run.status == status && run.output.isEmpty)
  }

  @Test func `a stage of a later version is no approval`() throws {
    let reply = frame(Wire.StepUp.Reply(stage: Wire.StepUpStage(rawValue: "reviewed"), account: "work"))
    let run = try CommandRun("step-up --action bank --no-browser", [page, reply])
    #expect(run.status == 1 && run.output.isEmpty)
  }

  @Test func `a connection that ends is no approval`() throws {
    let run = try CommandRun("step-up --action bank --no-browser", [page])
    #expect(run.status == 5 && run.output.isEmpty)
  }

  @Test func `a refused field is named as it was typed`() throws {
    let error = AlmonerError.badRequest(field: "amount", message: "amount: a payout needs one", help: "")
    let run = try CommandRun("step-up --action payout", [frame(error)])
    #expect(run.status == 2 && run.errors == "almoner: --amount: a payout needs one\n  Try: almoner step-up --help\n")
  }

  @Test(arguments: [("step-up", "--action is needed"), ("step-up --action pay", "--action must be payout or bank")])
  func `an action is needed`(words: String, message: String) throws {
    let run = try CommandRun(words)
    #expect(run.status == 2 && run.errors.contains(message))
  }
}
