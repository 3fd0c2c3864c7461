/// What a person asked of `register`, before configuration fills in the rest. All of it is as typed.
package struct RegistrationWish: Equatable, Sendable {
  /// A configured issuer's name, or an issuer's URL.
  package var issuer: String
  package var kind: String?
  package var redirectURI: String?
  package var clientName: String?
  package var scopes: [String]?
  /// An absolute path; with it the client is one that shows a secret.
  package var clientSecretFile: String?

  package init(
    issuer: String, kind: String? = nil, redirectURI: String? = nil, clientName: String? = nil,
    scopes: [String]? = nil, clientSecretFile: String? = nil
  ) {
    self.issuer = issuer
    self.kind = kind
    self.redirectURI = redirectURI
    self.clientName = clientName
    self.scopes = scopes
    self.clientSecretFile = clientSecretFile
  }
}
