import Commands
import Testing

struct QRDrawingTests {
  /// A square of `size` dark modules.
  private static func square(_ size: Int, _ digit: Character = "1") -> String {
    String(repeating: String(repeating: digit, count: size) + "\n", count: size)
  }

  @Test func `two rows are one line, with four light modules around`() throws {
    let drawing = try #require(QRDrawing(Self.square(21)))
    #expect(drawing.columns == 29 && drawing.lines == 15)
    let lines = drawing.text(coloured: false).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
    #expect(lines[0].allSatisfy { $0 == "█" } && lines[1].allSatisfy { $0 == "█" })
    #expect(String(lines[2]) == "████" + String(repeating: " ", count: 21) + "████")
    // The last row of dark modules shares its line with the first of the quiet zone below, and the last line is half.
    #expect(String(lines[12]) == "████" + String(repeating: "▄", count: 21) + "████")
    #expect(lines[14].allSatisfy { $0 == "▀" })
  }

  @Test func `light over dark and dark over light are the two half blocks`() throws {
    var rows = Array(repeating: String(repeating: "0", count: 21), count: 21)
    rows[0] = "1" + rows[0].dropFirst()
    rows[3] = "1" + rows[3].dropFirst()
    let drawing = try #require(QRDrawing(rows.joined(separator: "\n")))
    let lines = drawing.text(coloured: false).split(separator: "\n").map(Array.init)
    #expect(lines[2][4] == "▄" && lines[3][4] == "▀")
  }

  @Test func `colours make it the same on any ground, and end with the line`() throws {
    let drawing = try #require(QRDrawing(Self.square(21)))
    for line in drawing.text(coloured: true).split(separator: "\n") {
      #expect(line.hasPrefix("\u{1B}[97;40m") && line.hasSuffix("\u{1B}[0m"))
    }
  }

  @Test(arguments: [
    "", "1", square(20), square(178), square(21, "2"), square(21) + "1", square(21).replacing("1\n", with: "\n"),
    square(21) + String(repeating: "1", count: 21), "\u{1B}[2J" + square(21),
  ])
  func `what is no square of digits is not drawn`(text: String) { #expect(QRDrawing(text) == nil) }

  @Test(arguments: [
    (29, 25, "C.UTF-8", true), (28, 25, "C.UTF-8", false), (29, 24, "C.UTF-8", false), (29, 25, "C", false),
    (0, 0, "C.UTF-8", false), (200, 100, "en_US.utf8", true), (200, 100, "de_DE.ISO-8859-1", false),
  ])
  func `it is drawn where it fits and the letters are there`(columns: Int, rows: Int, locale: String, fits: Bool) throws
  {
    let drawing = try #require(QRDrawing(Self.square(21)))
    let screen = TerminalScreen(columns: columns, rows: rows, Environment(["LANG": locale]))
    #expect(screen.fits(drawing, beside: 10) == fits)
  }

  @Test func `of the locale's variables the strongest counts`() {
    let variables = ["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"]
    #expect(!TerminalScreen(columns: 80, rows: 50, Environment(variables)).isUTF8)
    #expect(TerminalScreen(columns: 80, rows: 50, Environment(["LC_CTYPE": "C.UTF-8", "LANG": "C"])).isUTF8)
  }
}
