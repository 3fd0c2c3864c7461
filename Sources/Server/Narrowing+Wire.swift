import Configuration
import Vault
import Wire

extension Narrowing {
  /// What a caller asks a token to be narrowed to; nil when it asks for the account's own. Throws ``ErrorReply`` when a
  /// scope is none (RFC 6749 §3.3); a resource is checked by the issuer's kind, which knows whether there are any.
  static func asked(_ scopes: [String]?, _ resource: String?) throws(ErrorReply) -> Narrowing? {
    guard scopes?.isEmpty == false || resource != nil else { return nil }
    for scope in scopes ?? [] where !ScopeList.isScope(scope) {
      throw ErrorReply(VaultError.badRequest(field: "scopes", message: "a scope is printable ASCII without spaces"))
    }
    return Narrowing(scopes: scopes ?? [], resource: resource)
  }
}
