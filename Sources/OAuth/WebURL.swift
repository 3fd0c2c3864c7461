/// An absolute `https` or `http` URL (RFC 3986) whose parts were looked at once, strictly, and whose text is kept as given.
package struct WebURL: Equatable, Sendable {
  package enum Scheme: String, Sendable {
    case https
    case http
  }

  /// The most bytes of a URL.
  package static let maximumCount = 2048

  /// Exactly as given.
  package let text: String
  package let scheme: Scheme
  /// The host as given: a name, an IPv4 address, or an IPv6 address in brackets.
  package let host: String
  /// The port if one was written, 1…65535.
  package let port: Int?
  /// Starts with a slash, or is empty.
  package let path: String
  /// What follows the question mark; nil without one.
  package let query: String?

  /// Takes `text` apart. Refuses what browsers and servers are known to read differently: user information, fragments,
  /// backslashes, white space, and anything but printable ASCII.
  package init(_ text: String) throws(WebURLError) {
    guard text.utf8.count <= Self.maximumCount else { throw .tooLong }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !Self.forbidden.contains($0) }) else { throw .character }
    guard !text.contains("#") else { throw .fragment }
    let (scheme, rest) = try Self.scheme(of: text)
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let (host, port) = try Self.authority(rest[..<authorityEnd])
    let tail = rest[authorityEnd...]
    let mark = tail.firstIndex(of: "?")
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = port
    path = String(tail[..<(mark ?? tail.endIndex)])
    query = mark.map { String(tail[tail.index(after: $0)...]) }
  }

  /// The port in use: as written, or the scheme's own.
  package var effectivePort: Int {
    switch scheme {
    case .https: port ?? 443
    case .http: port ?? 80
    }
  }

  /// Host and port as the `Host` header field of a request to it has them (RFC 9110 §7.2), in lower case.
  package var authority: String { host.lowercased() + (port.map { ":\($0)" } ?? "") }

  /// Whether it names this machine: `localhost`, `127.0.0.1` or `[::1]`. No other name is trusted to.
  package var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased()) }

  /// Whether both lead to the same resource, query aside: letter case of the host, an empty path and a default port
  /// that is written make no difference.
  package func hasSameDestination(as other: WebURL) -> Bool {
    scheme == other.scheme && host.lowercased() == other.host.lowercased() && effectivePort == other.effectivePort
      && (path.isEmpty ? "/" : path) == (other.path.isEmpty ? "/" : other.path)
  }

  private static let forbidden = Set(#"\"<>^`{|}"#.utf8)

  private static func scheme(of text: String) throws(WebURLError) -> (Scheme, Substring) {
    for scheme in [Scheme.https, .http] {
      let start = scheme.rawValue + "://"
      if text.prefix(start.count).lowercased() == start { return (scheme, text.dropFirst(start.count)) }
    }
    throw .scheme
  }

  private static func authority(_ text: Substring) throws(WebURLError) -> (host: String, port: Int?) {
    guard !text.contains("@") else { throw .userInformation }
    let hostEnd: Substring.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { throw .host }
      hostEnd = text.index(after: bracket)
    } else {
      hostEnd = text.firstIndex(of: ":") ?? text.endIndex
    }
    let host = String(text[..<hostEnd])
    guard isSound(host) else { throw .host }
    let rest = text[hostEnd...]
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":") else { throw .host }
    return (host, try port(rest.dropFirst()))
  }

  private static func isSound(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      let inside = host.dropFirst().dropLast()
      return host.hasSuffix("]") && inside.contains(":")
        && inside.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    guard host.utf8.count <= 253 else { return false }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if let last = labels.last, isNumber(last) { return isAddress(labels) }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
  }

  /// Whether a host that ends in it is an IPv4 address to somebody (WHATWG URL §3.5): `1`, `0x7f`, `0x`.
  private static func isNumber(_ label: Substring) -> Bool {
    let digits = label.lowercased().hasPrefix("0x") ? label.dropFirst(2) : label
    return !label.isEmpty && digits.allSatisfy { $0.isHexDigit && (digits.count < label.count || $0.isNumber) }
  }

  /// Four decimal numbers without needless zeros: the one spelling of an IPv4 address that everybody reads alike.
  private static func isAddress(_ labels: [Substring]) -> Bool {
    labels.count == 4 && labels.allSatisfy { label in UInt8(label).map { String($0) == label } ?? false }
  }

  private static func port(_ text: Substring) throws(WebURLError) -> Int {
    guard (1...5).contains(text.count), text.allSatisfy(\.isNumber), !text.hasPrefix("0"), let port = Int(text),
      port <= 65535
    else { throw .port }
    return port
  }
}
