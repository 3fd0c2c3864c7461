/// One signed-in person at one issuer, as configuration and the index know it. Holds no secret.
package struct Account: Equatable, Sendable {
  package let id: AccountID
  /// The label a person uses: 1…64 characters of `A–Z a–z 0–9 . _ -`, starting with a letter or digit.
  package var name: String
  package let issuer: IssuerProfile
  package let backend: StoreBackend
  /// The redirect URI of the last sign-in, exactly as registered.
  package var redirectURI: String?
  package var scopes: [String]

  package init(
    id: AccountID, name: String, issuer: IssuerProfile, backend: StoreBackend, redirectURI: String? = nil,
    scopes: [String] = []
  ) {
    self.id = id
    self.name = name
    self.issuer = issuer
    self.backend = backend
    self.redirectURI = redirectURI
    self.scopes = scopes
  }
}
