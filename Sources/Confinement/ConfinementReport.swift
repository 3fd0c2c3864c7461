/// What is in force in a confined process: not dumpable, no core, no new privileges and seccomp always; Landlock where
/// the kernel has it.
package struct ConfinementReport: Equatable, Sendable {
  /// The version of Landlock that is in force; 0 when the kernel has none.
  package let landlockVersion: UInt8
  /// Whether `socket(AF_UNIX)` is refused.
  package let isWithoutUnixSockets: Bool

  package init(landlockVersion: UInt8, isWithoutUnixSockets: Bool) {
    self.landlockVersion = landlockVersion
    self.isWithoutUnixSockets = isWithoutUnixSockets
  }
}
