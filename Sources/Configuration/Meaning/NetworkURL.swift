/// An `http` or `https` URL taken apart (RFC 3986), in the strict form that configuration may hold: scheme and host in
/// lower case, no user information, no fragment, ASCII only.
struct NetworkURL: Equatable, Sendable {
  static let maximumLength = 2048

  let isPlain: Bool
  /// A name, an IPv4 address, or an IPv6 address in brackets.
  let host: String
  let port: UInt16?
  /// Starts with a slash, or is empty.
  let path: String
  let query: String?

  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    if text.utf8.contains(where: { "\\\"<>^`{|}#".utf8.contains($0) }) { return nil }
    isPlain = text.hasPrefix("http://")
    guard isPlain || text.hasPrefix("https://") else { return nil }
    let afterScheme = text.dropFirst(isPlain ? 7 : 8)
    let authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.split(authority: authority) else { return nil }
    self.host = host
    self.port = port
    let pathAndQuery = afterScheme[authority.endIndex...].split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = pathAndQuery.first.map(String.init) ?? ""
    query = pathAndQuery.count == 2 ? String(pathAndQuery[1]) : nil
    guard Self.isPath(path) else { return nil }
  }

  /// Whether the host is this machine, whatever a resolver may say (RFC 6761 §6.3 for `localhost`).
  var isLoopback: Bool { host == "localhost" || host == "[::1]" || Self.isLoopbackAddress(host) }

  private static func split(authority: Substring) -> (host: String, port: UInt16?)? {
    let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let host = hostEnd.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
    guard isHost(host) else { return nil }
    let rest = authority[host.endIndex...]
    if rest.isEmpty { return (String(host), nil) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), !digits.hasPrefix("0"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    return (String(host), port)
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("[") {
      let address = host.dropFirst().dropLast()
      return host.hasSuffix("]") && address.contains(":") && address.utf8.allSatisfy("0123456789abcdef:.".utf8.contains)
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.utf8.count <= 253 && labels.allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
    return (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(allowed.contains)
      && !label.hasPrefix("-") && !label.hasSuffix("-")
  }

  private static func isPath(_ path: String) -> Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return !segments.contains(".") && !segments.contains("..") && !path.contains("//")
  }

  private static func isLoopbackAddress(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
