import Commands
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [("90s", 90), ("5m", 300), ("2h", 7200), ("1d", 86_400), ("30", 30), ("0", 0), ("366d", 31_622_400)])
  func `a number and one unit are seconds`(text: String, seconds: Int) {
    #expect(DurationText.seconds(text) == seconds)
  }

  @Test(arguments: ["", "s", "-5", "+5", "5 m", "5M", "1h30m", "1.5h", "٣", "367d", "9999999999", "0x5", "5ms", " 5"])
  func `anything else is refused`(text: String) {
    #expect(DurationText.seconds(text) == nil)
  }

  @Test(arguments: [
    (252, "4m 12s"), (60, "1m"), (59, "59s"), (3600, "1h"), (3605, "1h"), (7322, "2h 2m"), (90_000, "1d 1h"), (0, "0s"),
    (-3, "0s"),
  ])
  func `the two greatest units are shown`(seconds: Int, words: String) {
    #expect(DurationText.words(seconds) == words)
  }
}
