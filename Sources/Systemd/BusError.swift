import CLinux

/// A call to the bus library that failed; most often the bus is away.
package struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
  package let call: String
  /// An errno.
  package let code: CInt

  package var description: String { "\(call): \(unsafe String(cString: clinux_error_text(code)))" }

  /// Throws unless the library's result is 0 or more, and gives the result back.
  @discardableResult static func check(_ result: CInt, _ call: String) throws(BusError) -> CInt {
    guard result >= 0 else { throw BusError(call: call, code: -result) }
    return result
  }
}
