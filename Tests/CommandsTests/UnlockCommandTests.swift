import Testing
import Wire

@Suite struct UnlockCommandTests {
  private static let dismissed = frame(AlmonerError.denied(account: nil, message: "the prompt was dismissed", help: ""))

  @Test func `a prompt that nobody can have seen is not called dismissed`() throws {
    let run = try CommandRun("unlock", [Self.dismissed])
    #expect(run.status == 6 && run.errors.contains("no display here") && !run.errors.contains("dismissed"))
  }

  @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
  func `where there is a display a prompt was dismissed`(name: String) throws {
    let run = try CommandRun("unlock", environment: [name: ":0"], [Self.dismissed])
    #expect(run.status == 6 && run.errors == "almoner: the prompt was dismissed\n")
  }
}
