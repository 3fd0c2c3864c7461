/// A redirect URI as it was registered. It is compared character by character, port included.
struct RegisteredRedirect: Equatable, Sendable {
  /// Registered when the command line names none. The port lies below the ones that the kernel gives away.
  static let standard = "http://localhost:21873/callback"

  let text: String

  /// Refuses what the registration refuses: wildcards, fragments, credentials, custom schemes, and plain http other
  /// than `http://localhost:PORT/…`.
  init(_ text: String) throws(UsageError) {
    let mistake = UsageError("--redirect-uri needs https://HOST/… or http://localhost:PORT/… without * # @")
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw mistake }
    guard !text.contains(where: { "*#@\"<>\\".contains($0) }) else { throw mistake }
    let rest: Substring
    if text.hasPrefix("https://") {
      rest = text.dropFirst("https://".count)
    } else if text.hasPrefix("http://localhost:") {
      rest = text.dropFirst("http://".count)
      let port = rest.dropFirst("localhost:".count).prefix { $0 != "/" && $0 != "?" }
      guard let number = UInt16(port), number > 0 else { throw mistake }
    } else {
      throw mistake
    }
    guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else { throw mistake }
    self.text = text
  }

  /// Scheme and authority, for the page's `form-action`.
  var origin: String {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return "\(parts[0])//\(parts[2])"
  }

  /// The redirect with parameters added to its query.
  func adding(_ parameters: [(String, String)]) -> String {
    let query = parameters.map { "\($0)=\(FormFields.escape($1))" }.joined(separator: "&")
    return text + (text.contains("?") ? "&" : "?") + query
  }
}
