import Glibc

/// The variables a command was started with.
package struct Environment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// Those of this process, read once.
  package static func ofThisProcess() -> Environment {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The first of several wins, as with getenv.
      if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return Environment(variables)
  }

  /// The value of a variable; an empty one counts as absent.
  package subscript(name: String) -> String? {
    guard let value = variables[name], !value.isEmpty else { return nil }
    return value
  }

  /// `NAME=VALUE` of every variable that `isWanted` names.
  package func entries(where isWanted: (String) -> Bool) -> [String] {
    variables.filter { isWanted($0.key) }.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
