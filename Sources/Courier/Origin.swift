/// Scheme, host and port of a URL (RFC 6454), as far as telling issuers apart needs it.
enum Origin {
  static func of(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return url[..<scheme.upperBound].lowercased() + authority.lowercased()
  }
}
