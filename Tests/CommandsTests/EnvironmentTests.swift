import Commands
import Glibc
import Testing

/// The variables of a command. Those of the process itself are changed in a process of its own.
@Suite struct EnvironmentTests {
  @Test func `an empty variable counts as absent`() {
    let environment = Environment(["A": "1", "B": ""])
    #expect(environment["A"] == "1" && environment["B"] == nil && environment["C"] == nil)
    #expect(environment.entries { _ in true } == ["A=1", "B="])
  }

  @Test func `those of this process are what getenv says`() async {
    await #expect(processExitsWith: .success) {
      #expect(unsafe setenv("ALMONER_TEST_A", "x=y", 1) == 0 && setenv("ALMONER_TEST_B", "", 1) == 0)
      let environment = Environment.ofThisProcess()
      #expect(environment["ALMONER_TEST_A"] == "x=y")
      #expect(environment["ALMONER_TEST_B"] == nil && environment["ALMONER_TEST_C"] == nil)
      #expect(environment.entries { $0.hasPrefix("ALMONER_TEST_") } == ["ALMONER_TEST_A=x=y", "ALMONER_TEST_B="])
    }
  }
}
