/// One signed-in person at one issuer, as configuration and the index know it. Holds no secret.
package struct Account: Equatable, Sendable {
  package let id: AccountID
  /// The label a person uses: 1…64 characters of `A–Z a–z 0–9 . _ -`, starting with a letter or digit.
  package var name: String
  package var issuer: IssuerProfile { shared.profile }
  package let backend: StoreBackend
  /// The redirect URI of the last sign-in, exactly as registered.
  package var redirectURI: String?
  package var scopes: [String]

  private var shared: SharedProfile

  package init(
    id: AccountID, name: String, issuer: IssuerProfile, backend: StoreBackend, redirectURI: String? = nil,
    scopes: [String] = []
  ) {
    self.id = id
    self.name = name
    self.backend = backend
    self.redirectURI = redirectURI
    self.scopes = scopes
    shared = SharedProfile(issuer)
  }

  /// The same account, in which whatever equals the other's is in memory once.
  package func sharing(with other: Account) -> Self {
    var sharing = self
    if shared == other.shared { sharing.shared = other.shared }
    if redirectURI == other.redirectURI { sharing.redirectURI = other.redirectURI }
    if scopes == other.scopes { sharing.scopes = other.scopes }
    return sharing
  }
}

/// A profile that the accounts of its issuer have in common: it is most of what an account weighs.
private final class SharedProfile: Equatable, Sendable {
  let profile: IssuerProfile

  init(_ profile: IssuerProfile) { self.profile = profile }

  static func == (one: SharedProfile, other: SharedProfile) -> Bool {
    one === other || one.profile == other.profile
  }
}
