/// A process could not be confined: it must end without having been given anything.
package struct ConfinementError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Step: String, Sendable {
    case dumps = "forbidding dumps"
    case privileges = "no_new_privs"
    case landlock = "Landlock"
    case seccomp = "seccomp"
  }

  package let step: Step
  /// The `errno` of the call that failed.
  package let code: Int32

  package init(step: Step, code: Int32) {
    self.step = step
    self.code = code
  }

  package var description: String { "confining failed at \(step.rawValue) (errno \(code))" }
}
