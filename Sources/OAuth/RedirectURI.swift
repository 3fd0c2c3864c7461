/// A redirect URI (RFC 6749 §3.1.2), used exactly as it is registered.
package struct RedirectURI: Equatable, Sendable {
  /// How the browser's way back ends (RFC 8252 §7).
  package enum Destination: Equatable, Sendable {
    /// A listener on this machine. `port` is nil when the issuer lets it be chosen at will (RFC 8252 §7.3).
    case loopback(host: String, port: Int?)
    /// An `https` URL that belongs to the application's owner.
    case claimedHTTPS
  }

  /// Exactly as registered.
  package let text: String
  package let destination: Destination
  package let url: WebURL

  /// Checks a redirect URI. Plain `http` passes only to this machine; wildcards and fragments never.
  package init(_ text: String) throws(RedirectURIError) {
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(text) } catch { throw .url(error) }
    guard !text.contains("*") else { throw .wildcard }
    switch url.scheme {
    case .https: destination = .claimedHTTPS
    case .http:
      guard url.isLoopback else { throw .insecure }
      destination = .loopback(host: url.host.lowercased(), port: url.port)
    }
    self.text = text
    self.url = url
  }

  /// The path that a request to the listener has: at least a slash.
  package var path: String { url.path.isEmpty ? "/" : url.path }

  /// The same redirect with a port that the listener was given, for an issuer that lets it be chosen.
  package func bound(toPort port: Int) throws(RedirectURIError) -> RedirectURI {
    guard case .loopback(let host, port: nil) = destination else { return self }
    return try RedirectURI("http://\(host):\(port)\(url.path)\(url.query.map { "?" + $0 } ?? "")")
  }
}

/// Why a text is no redirect URI.
package enum RedirectURIError: Error, Equatable, Sendable {
  case url(WebURLError)
  case wildcard
  /// Plain http to another machine.
  case insecure
}

extension RedirectURIError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .url(let error): error.description
    case .wildcard: "a redirect URI has no wildcards"
    case .insecure: "a redirect URI by plain http must name this machine"
    }
  }
}
