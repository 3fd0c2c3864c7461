import CLinux
import Glibc

/// A system call that failed although our own resources allow it: out of descriptors, memory or threads.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, for a person who reads the log.
  package let call: String
  /// The `errno` it left.
  package let code: Int32

  package init(_ call: String, _ code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  package var description: String { "\(call): \(unsafe String(cString: clinux_error_text(code)))" }
}
