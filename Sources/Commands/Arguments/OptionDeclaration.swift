/// What the parser and the help need to know of an option.
package struct OptionDeclaration: Equatable, Sendable {
  /// With its two hyphens.
  package let name: String
  /// What its value is called in the help; nil for one that takes none.
  package let placeholder: String?
  /// Whether it may be given more than once.
  package let repeats: Bool
  package let help: String

  /// As the help and the usage line show it.
  package var usage: String { name + (placeholder.map { " \($0)" } ?? "") }
}
