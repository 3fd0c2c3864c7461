/// What we are to a callback's owner: a client at an issuer, whose browser comes back to one address of theirs.
package struct AssociatedClient: Hashable, Sendable {
  /// The issuer identifier, exactly.
  package let issuer: String
  /// What the issuer calls us; nil when we were never told, and then it is not compared.
  package let clientID: String?
  /// The redirect URI, exactly as registered.
  package let callback: String

  package init(issuer: String, clientID: String?, callback: String) {
    self.issuer = issuer
    self.clientID = clientID
    self.callback = callback
  }
}
