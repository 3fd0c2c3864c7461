import CLinux

/// A QR code as text for a terminal: two rows of modules a line, by half blocks.
package struct QRDrawing: Equatable, Sendable {
  /// Light modules around it, without which cameras do not find it (ISO/IEC 18004 §5.3.8).
  static let quietZone = 4
  /// The sizes that there are.
  static let sizes = 21...177

  /// Row by row, the quiet zone included; true is light, which is what is drawn.
  private let light: [[Bool]]

  /// From lines of `1` for dark and `0` for light; nil unless they are a square of a size that there is.
  package init?(_ text: String) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    guard Self.sizes.contains(lines.count),
      lines.allSatisfy({ line in
        line.count == lines.count && line.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") }
      })
    else { return nil }
    let margin = Array(repeating: true, count: Self.quietZone)
    let rows = lines.map { margin + $0.map { $0 == UInt8(ascii: "0") } + margin }
    let border = Array(repeating: Array(repeating: true, count: rows[0].count), count: Self.quietZone)
    light = border + rows + border
  }

  /// The columns that it takes.
  package var columns: Int { light.count }
  /// The lines that it takes.
  package var lines: Int { (light.count + 1) / 2 }

  /// The lines. Light is drawn and dark is left: as it has to be on a dark ground, and on any where it may be coloured.
  package func text(coloured: Bool) -> String {
    stride(from: 0, to: light.count, by: 2).map { row in
      let upper = light[row], lower = row + 1 < light.count ? light[row + 1] : Array(repeating: false, count: columns)
      let line = zip(upper, lower).map(Self.block).joined()
      return coloured ? "\u{1B}[97;40m\(line)\u{1B}[0m" : line
    }.joined(separator: "\n")
  }

  private static func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}

/// What a terminal can show.
package struct TerminalScreen: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  /// Whether its text is UTF-8, as the locale says.
  package let isUTF8: Bool

  package init(columns: Int, rows: Int, _ environment: Environment) {
    self.columns = columns
    self.rows = rows
    let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C"
    isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
  }

  /// The terminal behind a descriptor; nil when it is none.
  init?(of descriptor: Int32, _ environment: Environment) {
    var columns: Int32 = 0, rows: Int32 = 0
    guard unsafe clinux_terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
    self.init(columns: Int(columns), rows: Int(rows), environment)
  }

  /// Whether a drawing can be shown with `beside` lines of text, without scrolling either away.
  package func fits(_ drawing: QRDrawing, beside: Int) -> Bool {
    isUTF8 && drawing.columns <= columns && drawing.lines + beside <= rows
  }
}
