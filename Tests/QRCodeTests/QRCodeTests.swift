import QRCode
import Testing

struct QRCodeTests {
  private func rows(_ code: QRCode) -> [[Bool]] {
    (0..<code.size).map { Array(code.modules[$0 * code.size..<($0 + 1) * code.size]) }
  }

  @Test(arguments: [("https://a.example", 25), (String(repeating: "a", count: 200), 57)])
  func `a longer text needs a larger code`(text: String, size: Int) throws {
    let code = try #require(QRCode(text))
    #expect(code.size == size && code.modules.count == size * size)
  }

  @Test func `three of its corners have the pattern that cameras look for`() throws {
    let rows = rows(try #require(QRCode("https://login.example/device?code=WDJB-MJHT")))
    let end = rows.count - 7
    let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for (row, column) in [(0, 0), (0, end), (end, 0)] {
      let found = (row..<row + 7).map { line in rows[line][column..<column + 7].map { $0 ? "1" : "0" }.joined() }
      #expect(found == finder)
    }
  }

  @Test func `two texts have two codes`() {
    #expect(QRCode("https://a.example/1") != QRCode("https://a.example/2"))
  }

  @Test(arguments: ["", "a\0b", String(repeating: "a", count: QRCode.maximumText + 1)])
  func `what has no code gets none`(text: String) { #expect(QRCode(text) == nil) }

  @Test func `as text it is a square of digits`() throws {
    let code = try #require(QRCode("x"))
    let lines = code.text.split(separator: "\n")
    #expect(lines.count == code.size && lines.allSatisfy { $0.count == code.size && $0.allSatisfy("01".contains) })
  }
}
