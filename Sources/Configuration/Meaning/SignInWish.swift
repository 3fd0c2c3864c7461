/// What a person asked of `login`, before configuration fills in the rest. All of it is as typed.
package struct SignInWish: Equatable, Sendable {
  /// The account's name.
  package var account: String?
  /// A configured issuer's name, or an issuer's URL.
  package var issuer: String?
  package var kind: String?
  package var publishableKey: String?
  package var clientID: String?
  package var redirectURI: String?
  package var scopes: [String]?
  package var store: String?
  package var locales: [String]

  package init(
    account: String? = nil, issuer: String? = nil, kind: String? = nil, publishableKey: String? = nil,
    clientID: String? = nil, redirectURI: String? = nil, scopes: [String]? = nil, store: String? = nil,
    locales: [String] = []
  ) {
    self.account = account
    self.issuer = issuer
    self.kind = kind
    self.publishableKey = publishableKey
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scopes = scopes
    self.store = store
    self.locales = locales
  }

  /// Whether it names an issuer or client of its own, rather than one that is known already.
  var isRegistration: Bool { issuer != nil || publishableKey != nil || kind != nil || clientID != nil }
}
