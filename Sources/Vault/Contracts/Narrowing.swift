/// What one caller's access token is narrowed to, below what was granted at sign-in. Equal for the same wish in any order.
package struct Narrowing: Hashable, Sendable {
  /// `scope` (RFC 6749 §6): each once and sorted; empty for all that were granted.
  package let scopes: [String]
  /// `resource` (RFC 8707 §2.2): where the token is to be used; nil for wherever it may.
  package let resource: String?

  package init(scopes: [String], resource: String?) {
    self.scopes = Set(scopes).sorted()
    self.resource = resource
  }
}
