/// Why an authorization response was refused. It repeats nothing of the response but names of ours.
package enum AuthorizationResponseError: Error, Equatable, Sendable {
  case tooLong
  case tooManyParameters
  /// An escape is incomplete.
  case encoding
  /// A value holds something else than printable ASCII.
  case character
  /// A parameter occurs twice (RFC 6749 §3.1).
  case repeated(String)
  case noState
  /// Neither `code` nor `error`.
  case noCode
  case codeAndError
  case codeTooLong
  /// The issuer promises `iss` (RFC 9207 §3), and it is not there.
  case noIssuer
  /// `iss` is another issuer's: the response was mixed up, by accident or on purpose.
  case otherIssuer
  /// What was pasted is not a URL with a query.
  case notAURL
  /// The URL that was pasted does not lead to this sign-in's redirect URI.
  case otherDestination
  /// No room in the locked arena.
  case memory
}

extension AuthorizationResponseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "the response is too long"
    case .tooManyParameters: "the response has too many parameters"
    case .encoding: "an escape in the response is incomplete"
    case .character: "a value in the response holds a character that may not stand there"
    case .repeated(let name): "the response has \(name) twice"
    case .noState: "the response has no state"
    case .noCode: "the response has neither code nor error"
    case .codeAndError: "the response has both code and error"
    case .codeTooLong: "the response's code is too long"
    case .noIssuer: "the issuer promises iss in its responses, and this one has none"
    case .otherIssuer: "the response names another issuer"
    case .notAURL: "that is not the address of a page with a code in it"
    case .otherDestination: "that address is not where this sign-in ends"
    case .memory: "no memory is left for secrets"
    }
  }
}
