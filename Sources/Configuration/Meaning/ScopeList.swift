/// `scope` (RFC 6749 §3.3): tokens of printable ASCII without quotation mark and backslash, one space between them.
package enum ScopeList {
  package static let maximumCount = 64
  package static let maximumLength = 1024

  /// Nil when it is no scope list. An empty text is an empty list.
  package static func read(_ text: String) -> [String]? {
    guard text.utf8.count <= maximumLength else { return nil }
    if text.isEmpty { return [] }
    let scopes = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return scopes.count <= maximumCount && scopes.allSatisfy(isScope) ? scopes : nil
  }

  package static func isScope(_ token: String) -> Bool {
    !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}
