/// The escapes of values in desktop entries: `\s`, `\n`, `\t`, `\r` and `\\`.
enum ValueEscapes {
  /// The value meant by what is written; nil for a backslash before anything else.
  static func resolve(_ written: String) -> String? {
    guard written.utf8.contains(UInt8(ascii: "\\")) else { return written }
    var value = ""
    var rest = written.makeIterator()
    while let character = rest.next() {
      guard character == "\\" else {
        value.append(character)
        continue
      }
      switch rest.next() {
      case "s": value.append(" ")
      case "n": value.append("\n")
      case "t": value.append("\t")
      case "r": value.append("\r")
      case "\\": value.append("\\")
      case nil, .some: return nil
      }
    }
    return value
  }

  /// What to write so that ``resolve(_:)`` gives the value back, blanks at its ends included.
  static func escape(_ value: String) -> String {
    var written = ""
    for (position, character) in value.enumerated() {
      switch character {
      case " " where position == 0 || position == value.count - 1: written += #"\s"#
      case "\n": written += #"\n"#
      case "\t": written += #"\t"#
      case "\r": written += #"\r"#
      case "\r\n": written += #"\r\n"#
      case "\\": written += #"\\"#
      default: written.append(character)
      }
    }
    return written
  }
}
