/// What a command may be given: for the parser, the usage line and the help.
package struct CommandSyntax: Sendable {
  /// One or two words, such as `token` or `config check`.
  package let name: String
  /// One line, without a full stop.
  package let summary: String
  /// The name of the one operand it may be given, or nil.
  package let operand: String?
  package let options: [OptionDeclaration]

  package init(_ name: String, _ summary: String, operand: String? = nil, options: [OptionDeclaration] = []) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.options = options + [CommonOptions.json.declaration]
  }

  package var usageLine: String {
    let options = options.map { "[\($0.usage)]" + ($0.repeats ? "…" : "") }
    return (["usage: almoner \(name)"] + (operand.map { ["[\($0)]"] } ?? []) + options).joined(separator: " ")
  }

  package var help: String {
    let rows = options.map { ($0.usage, $0.help) } + [("-h, --help", "show this help")]
    return "\(usageLine)\n\n\(summary).\n\n" + Columns.aligned(rows.map { ["  " + $0.0, $0.1] })
  }
}

/// Options that every command takes.
package enum CommonOptions {
  package static let json = Option(flag: "--json", "answer in JSON, with \"format\": 1")
}
