import Glibc

/// The variables a command was started with.
package struct Environment: Sendable {
  private enum Source {
    /// Those of this process, looked up when they are asked for: a command asks for few, and nothing here sets any.
    case process
    case given([String: String])
  }

  private let source: Source

  package init(_ variables: [String: String]) { source = .given(variables) }

  private init(_ source: Source) { self.source = source }

  /// Those of this process.
  package static func ofThisProcess() -> Environment { Environment(.process) }

  /// The value of a variable; an empty one counts as absent.
  package subscript(name: String) -> String? {
    let value: String?
    switch source {
    case .process: value = unsafe getenv(name).map { unsafe String(cString: $0) }
    case .given(let variables): value = variables[name]
    }
    return value?.isEmpty == false ? value : nil
  }

  /// `NAME=VALUE` of every variable that `isWanted` names.
  package func entries(where isWanted: (String) -> Bool) -> [String] {
    switch source {
    case .process: Self.all().filter { isWanted($0.key) }.map { "\($0.key)=\($0.value)" }.sorted()
    case .given(let variables): variables.filter { isWanted($0.key) }.map { "\($0.key)=\($0.value)" }.sorted()
    }
  }

  private static func all() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The first of several wins, as with getenv.
      if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return variables
  }
}
