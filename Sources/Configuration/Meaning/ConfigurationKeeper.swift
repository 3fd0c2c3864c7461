/// Keeps the last good configuration: a file that breaks while the daemon runs changes nothing but what `status` says.
package struct ConfigurationKeeper: Sendable {
  /// What is in force.
  package private(set) var configuration: Configuration
  /// What is wrong with the files as they are now; empty when they are in force.
  package private(set) var problems: [ConfigurationProblem]

  /// What to do after a reload.
  package enum ReloadAction: Equatable, Sendable {
    /// The new one is in force: tell whoever uses it.
    case apply
    /// The files say what they said.
    case nothing
    /// The files are broken: the one in force stays. Report the problems.
    case keepOld
  }

  /// Starts with what there is: at the first load there is no last good one, and a broken file never stops the daemon.
  package init(_ first: LoadedConfiguration) {
    configuration = first.configuration
    problems = first.problems
  }

  /// The files were read again.
  package mutating func reloaded(_ loaded: LoadedConfiguration) -> ReloadAction {
    problems = loaded.problems
    guard loaded.problems.isEmpty else { return .keepOld }
    guard loaded.configuration != configuration else { return .nothing }
    configuration = loaded.configuration
    return .apply
  }
}
