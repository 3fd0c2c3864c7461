package import Secrets

/// What became of reading a token endpoint's body.
package enum TokenResponseReading: Sendable {
  case object(TokenResponse)
  /// The body ends inside its object.
  case truncated
  /// A page, an empty body, or anything else that is no JSON object.
  case notAnObject
  /// No room in the locked arena.
  case memory

  /// Reads `body` where it lies; tokens go straight into the arena. Of a member that occurs twice the last counts, as
  /// for most readers.
  package init(_ body: SecretBox) {
    self = unsafe body.withUnsafeBytes { bytes in
      var scanner = unsafe TokenResponseScanner(bytes)
      do throws(TokenResponseScanner.Stop) {
        return .object(try scanner.object())
      } catch {
        switch error {
        case .truncated: return .truncated
        case .notAnObject: return .notAnObject
        case .memory: return .memory
        }
      }
    }
  }
}
