import Commands
import Testing

@Suite struct PlainTextTests {
  @Test(arguments: ["\u{1B}[2J", "a\nb", "\u{9B}31m", "\u{202E}moc.elgoog", "\u{2066}x", "\u{7}", "\u{2028}"])
  func `what moves, colours or turns text is replaced`(text: String) {
    #expect(PlainText.line(text).unicodeScalars.contains("\u{FFFD}"))
  }

  @Test(arguments: ["Ada Lovelace", "Зоя", "ليلى", "李雷", "👩‍🚀"])
  func `names of people stay as they are`(text: String) {
    #expect(PlainText.line(text) == text)
  }

  @Test func `columns are as wide as their widest cell`() {
    #expect(Columns.aligned([["a", "bb", "c"], ["aaa", "b", "c"]]) == "a    bb  c\naaa  b   c\n")
  }
}
