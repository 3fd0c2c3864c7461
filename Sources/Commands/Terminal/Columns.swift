/// Text in columns, each as wide as its widest cell.
package enum Columns {
  /// One line a row, each ending with a newline and with no space before it.
  package static func aligned(_ rows: [[String]]) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { line($0, widths) + "\n" }.joined()
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      line += cell
      if column < cells.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
    }
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
