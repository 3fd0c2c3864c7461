package import Secrets

/// One request as it came, nothing decoded and nothing merged (RFC 9112).
package struct HTTPRequest: Sendable {
  /// One header line.
  package struct Header: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, case kept.
  package let method: String
  /// The request target up to the first `?`, not decoded; empty when it is not UTF-8.
  package let path: String
  /// What follows the first `?`, not decoded; nil without one. It may hold an authorization code.
  package let query: SecretBox?
  /// All header lines in order, doubles included.
  package let headers: [Header]
  /// The body; nil when there is none. It may hold tokens.
  package let body: SecretBox?
  /// Who connected; nil when the socket has gone already.
  package let peer: LoopbackEndpoint?
  /// The end of the connection that is ours.
  package let local: LoopbackEndpoint?

  package init(
    method: String, path: String, query: SecretBox?, headers: [Header], body: SecretBox?,
    peer: LoopbackEndpoint?, local: LoopbackEndpoint?
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.peer = peer
    self.local = local
  }

  /// The values of every header line with this name (ASCII case does not matter), in order.
  package func values(of name: String) -> [String] {
    let wanted = name.lowercased()
    return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// The value of the only header line with this name; nil when there is none or more than one.
  package func onlyValue(of name: String) -> String? {
    let all = values(of: name)
    return all.count == 1 ? all[0] : nil
  }
}
