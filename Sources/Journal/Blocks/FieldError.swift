/// Why bytes could not be written as fields, or read as such.
package enum FieldError: Error, Equatable, Sendable {
  /// Longer than its limit.
  case tooLong
  /// Not what was to be there.
  case malformed
  case noMemory
}
