import CLinux
import Glibc

/// Another program to be started, with nothing of ours left in it but what is named here.
package struct Program: Equatable, Sendable {
  /// Absolute.
  package var path: String
  /// Without the program's name.
  package var arguments: [String]
  /// Complete, as `NAME=VALUE`.
  package var environment: [String]
  /// Whether it outlives us, in a session of its own.
  package var isDetached = false
  /// Whether it runs in `/` with umask 077, and not where and how we do.
  package var isSecluded = false
  /// What becomes its standard input; nil: `/dev/null`.
  package var input: Int32?
  /// What becomes its standard output and error; nil: `/dev/null`.
  package var output: Int32?
  /// What becomes its descriptor 3; nil: none.
  package var ready: Int32?

  package init(_ path: String, _ arguments: [String], environment: [String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  /// Starts it, or throws the system's reason.
  package func start() throws(LaunchError) -> Child {
    let words = CStrings([path] + arguments)
    let variables = CStrings(environment)
    var what = unsafe clinux_launch()
    unsafe what.path = unsafe UnsafePointer(words.pointers[0])
    unsafe what.arguments = unsafe UnsafePointer(words.pointers.baseAddress)
    unsafe what.environment = unsafe UnsafePointer(variables.pointers.baseAddress)
    unsafe what.input = input ?? -1
    unsafe what.output = output ?? -1
    unsafe what.ready = ready ?? -1
    unsafe what.detached = isDetached ? 1 : 0
    unsafe what.secluded = isSecluded ? 1 : 0
    let child = unsafe clinux_launch(&what)
    guard child > 0 else { throw LaunchError(number: errno) }
    return try Child(id: child)
  }
}
