/// The command line cannot be understood. It ends with ``ExitStatus/usage`` and the usage line.
package struct UsageError: Error, Equatable, Sendable {
  /// What is wrong. It names the option or the operand, and never repeats a value that might be secret.
  package let message: String

  package init(_ message: String) { self.message = message }
}
