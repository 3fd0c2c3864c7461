/// A program, or what it needs, could not be had from the system.
package struct LaunchError: Error, Equatable, Sendable {
  /// The system's error number.
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// What the system says about it.
  package var words: String { SystemReason.words(number) }
}
