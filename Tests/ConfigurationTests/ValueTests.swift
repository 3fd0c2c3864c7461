import Configuration
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    ("0s", 0), ("90s", 90), ("5m", 300), ("2h", 7200), ("1d", 86_400), ("007s", 7), ("3650d", 315_360_000),
  ])
  func `a duration has a number and a unit`(text: String, seconds: Int) {
    #expect(DurationText.read(text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "s", "90", "-1s", "+1s", " 1s", "1 s", "1.5h", "1w", "1S", "1h30m", "9223372036854775807d",
    "99999999999999999999s",
    "3651d", "١s",
  ])
  func `anything else is no duration`(text: String) { #expect(DurationText.read(text) == nil) }

  @Test(arguments: ["0s", "90s", "5m", "2h", "1d", "36h"])
  func `a duration is written as it is read`(text: String) {
    #expect(DurationText.read(text).map(DurationText.write) == text)
  }

  @Test(arguments: ["a", "0", "work", "a.b_c-D", String(repeating: "a", count: 64)])
  func `an account name is taken`(name: String) { #expect(AccountName.isValid(name)) }

  @Test(arguments: ["", ".a", "-a", "_a", "a b", "a/b", "ä", "a\n", "a]", String(repeating: "a", count: 65)])
  func `what could mislead is no account name`(name: String) { #expect(!AccountName.isValid(name)) }
}
