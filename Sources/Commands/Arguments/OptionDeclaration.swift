/// What the parser and the help need to know of an option.
package struct OptionDeclaration: Equatable, Sendable {
  /// With its two hyphens.
  package let name: String
  /// What its value is called in the help; nil for one that takes none.
  package let placeholder: String?
  /// Whether it may be given more than once.
  package let repeats: Bool
  package let help: String
  /// Whether the command needs it. It says so itself when it is missing; the usage line shows it without brackets.
  package private(set) var isNeeded = false

  package init(name: String, placeholder: String?, repeats: Bool, help: String) {
    self.name = name
    self.placeholder = placeholder
    self.repeats = repeats
    self.help = help
  }

  /// The same, needed.
  package var needed: OptionDeclaration {
    var declaration = self
    declaration.isNeeded = true
    return declaration
  }

  /// As the help and the usage line show it.
  package var usage: String { name + (placeholder.map { " \($0)" } ?? "") }
}
