/// Text from elsewhere, made fit for a terminal.
package enum PlainText {
  /// `text` on one line, with everything replaced that moves the cursor, colours, or turns the reading direction.
  package static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: false  // C0, DEL, C1
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false  // bidirectional controls
    case 0x2028, 0x2029, 0xFEFF: false  // line and paragraph separators, byte order mark
    default: true
    }
  }
}
