/// An issuer identifier (RFC 8414 §2) or Didit origin: https, or http when the host is loopback.
struct IssuerURL: Equatable, Sendable {
  /// Without a trailing slash.
  let text: String
  let host: String
  let path: String
  let isPlain: Bool
  let isLoopback: Bool

  /// Nil for plain http to another machine, for a query, and for all that ``NetworkURL`` refuses.
  init?(_ written: String) {
    let text = written.hasSuffix("/") ? String(written.dropLast()) : written
    guard let url = NetworkURL(text), url.query == nil, !url.path.hasSuffix("/") else { return nil }
    guard !url.isPlain || url.isLoopback else { return nil }
    self.text = text
    host = url.host
    path = url.path
    isPlain = url.isPlain
    isLoopback = url.isLoopback
  }
}
