/// Why a member could not be had as the type that was asked for. It names the member, never its value.
package enum JSONMemberError: Error, Equatable, Sendable {
  case missing(String)
  case wrongKind(String, expected: JSONKind, found: JSONKind)
  /// A plain string stands where a secret was asked for, or the other way round: the reader was not told its name.
  case notASecret(String)
  case unexpectedSecret(String)
  /// Nothing of that name belongs there.
  case unknown(String)
  case outOfRange(String, ClosedRange<Int64>)
  /// More bytes of text, or more elements, than the limit given.
  case tooLong(String, limit: Int)

  /// The member's name.
  package var name: String {
    switch self {
    case .missing(let name), .wrongKind(let name, _, _), .notASecret(let name), .unexpectedSecret(let name),
      .unknown(let name), .outOfRange(let name, _), .tooLong(let name, _):
      name
    }
  }
}

extension JSONMemberError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let name): "\(name) is missing"
    case .wrongKind(let name, let expected, let found): "\(name) is \(found.rawValue), not \(expected.rawValue)"
    case .notASecret(let name): "\(name) was not read as a secret"
    case .unexpectedSecret(let name): "\(name) was read as a secret"
    case .unknown(let name): "\(name) is not known"
    case .outOfRange(let name, let range): "\(name) is not from \(range.lowerBound) to \(range.upperBound)"
    case .tooLong(let name, let limit): "\(name) is longer than \(limit)"
    }
  }
}
