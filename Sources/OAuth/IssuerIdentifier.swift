/// The identifier of an issuer (RFC 8414 §2): an `https` URL without query and fragment, compared as text, never followed
/// from what a token or an answer says.
package struct IssuerIdentifier: Equatable, Hashable, Sendable {
  /// Exactly as given.
  package let text: String
  /// What stands behind host and port; empty for a bare origin.
  package let path: String

  /// Checks an identifier. Plain `http` passes only with `plainLoopback`, and only to this machine.
  ///
  /// A host in upper case is refused: two spellings of one issuer would be two accounts.
  package init(_ text: String, plainLoopback: Bool) throws(IssuerIdentifierError) {
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(text) } catch { throw .url(error) }
    guard url.query == nil else { throw .query }
    guard url.scheme == .https || (plainLoopback && url.isLoopback) else { throw .insecure }
    guard url.host == url.host.lowercased(), text.hasPrefix(url.scheme.rawValue) else { throw .upperCase }
    self.text = text
    path = url.path
  }

  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Why a text is no issuer identifier.
package enum IssuerIdentifierError: Error, Equatable, Sendable {
  case url(WebURLError)
  case query
  /// Plain http, and not to this machine or not allowed.
  case insecure
  case upperCase
}

extension IssuerIdentifierError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .url(let error): error.description
    case .query: "an issuer identifier has no query"
    case .insecure: "the issuer is reached by plain http, which is for sandbox accounts on this machine only"
    case .upperCase: "scheme and host of an issuer identifier are written in lower case"
    }
  }
}
