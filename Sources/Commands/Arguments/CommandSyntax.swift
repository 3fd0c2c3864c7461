/// What a command may be given: for the parser, the usage line and the help.
package struct CommandSyntax: Sendable {
  /// One or two words, such as `token` or `config check`.
  package let name: String
  /// One line, without a full stop.
  package let summary: String
  /// The name of the one operand it may be given, or nil.
  package let operand: String?
  /// Whether the operand has to be there.
  package let needsOperand: Bool
  package let options: [OptionDeclaration]

  package init(
    _ name: String, _ summary: String, operand: String? = nil, needsOperand: Bool = false,
    options: [OptionDeclaration] = []
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.needsOperand = needsOperand
    self.options = options + [CommonOptions.json.declaration]
  }

  /// What may be given, on as many lines of 80 columns as it takes.
  package var usageLine: String {
    let start = "usage: almoner \(name)"
    let indent = String(repeating: " ", count: start.count)
    let words =
      (operand.map { [Self.shown($0, isNeeded: needsOperand)] } ?? [])
      + options.map { Self.shown($0.usage, isNeeded: $0.isNeeded) + ($0.repeats ? "…" : "") }
    var lines = [start]
    for word in words {
      let line = "\(lines.removeLast()) \(word)"
      lines += line.count <= 80 ? [line] : [String(line.dropLast(word.count + 1)), "\(indent) \(word)"]
    }
    return lines.joined(separator: "\n")
  }

  private static func shown(_ word: String, isNeeded: Bool) -> String { isNeeded ? word : "[\(word)]" }

  package var help: String {
    let rows = options.map { ($0.usage, $0.help) } + [("-h, --help", "show this help")]
    return "\(usageLine)\n\n\(summary).\n\n" + Columns.aligned(rows.map { ["  " + $0.0, $0.1] })
  }
}

/// Options that every command takes.
package enum CommonOptions {
  package static let json = Option(flag: "--json", "answer in JSON, with \"format\": 1")
}
