/// A command line that fits its ``CommandSyntax``.
package struct ParsedArguments: Equatable, Sendable {
  /// The operand, when one was given.
  package let operand: String?
  /// By option name, in the order given; a flag's text is empty.
  let values: [String: [String]]

  /// What was given for `option`, or nil. Throws when it cannot be that.
  package func value<Value>(_ option: Option<Value>) throws(UsageError) -> Value? {
    guard let text = values[option.declaration.name]?.last else { return nil }
    return try option.read(text)
  }

  /// Everything that was given for an option that repeats.
  package func all<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
    var result: [Value] = []
    for text in values[option.declaration.name] ?? [] { result.append(try option.read(text)) }
    return result
  }

  /// Whether a flag was given.
  package func has(_ flag: Option<Bool>) -> Bool { values[flag.declaration.name] != nil }
}
