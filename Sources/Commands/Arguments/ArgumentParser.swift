/// Reads a command line strictly: no abbreviations, no option twice, nothing left over.
package struct ArgumentParser {
  /// What a command line asks for.
  package enum Request: Equatable {
    case help
    case run(ParsedArguments)
  }

  private let syntax: CommandSyntax
  private var operand: String?
  private var values: [String: [String]] = [:]

  private init(_ syntax: CommandSyntax) { self.syntax = syntax }

  /// Reads what follows the command's name. Options may stand before and after the operand; `--` ends them.
  package static func parse(_ words: [String], _ syntax: CommandSyntax) throws(UsageError) -> Request {
    var parser = ArgumentParser(syntax)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "-h" || word == "--help" { return .help }
      if word == "--" {
        for word in rest { try parser.take(operand: word) }
        break
      }
      if word.hasPrefix("-"), word != "-" {
        try parser.take(option: word, &rest)
      } else {
        try parser.take(operand: word)
      }
    }
    return .run(ParsedArguments(operand: parser.operand, values: parser.values))
  }

  private mutating func take(operand word: String) throws(UsageError) {
    guard let name = syntax.operand else { throw UsageError("\(syntax.name) takes no operand") }
    guard operand == nil else { throw UsageError("only one \(name) can be given") }
    guard !word.isEmpty else { throw UsageError("\(name) must not be empty") }
    operand = word
  }

  private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = syntax.options.first(where: { $0.name == name }) else {
      throw UsageError("unknown option \(name)")
    }
    guard option.repeats || values[name] == nil else { throw UsageError("\(name) is given twice") }
    values[name, default: []].append(try text(of: option, inline: parts.count == 2 ? String(parts[1]) : nil, &rest))
  }

  private func text(
    of option: OptionDeclaration, inline: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard option.placeholder != nil else {
      guard inline == nil else { throw UsageError("\(option.name) takes no value") }
      return ""
    }
    if let inline { return inline }
    // A value that looks like an option is a forgotten value; `--option=--value` says it is meant.
    guard let next = rest.first, !next.hasPrefix("-") else { throw UsageError("\(option.name) needs a value") }
    rest.removeFirst()
    return next
  }
}
