import Exchange
import OAuth
package import Vault

extension Configuration {
  /// The scopes asked of an OpenID issuer when nobody says which.
  package static let standardScopes = ["openid", "offline_access"]
  /// Where the browser of an OpenID or OAuth issuer comes back to when nobody says where (RFC 8252 §7.3: any port).
  package static let standardRedirect = "http://127.0.0.1/callback"

  /// Settles what a sign-in is for: what was asked, then the account as it is, then configuration, then what is usual.
  ///
  /// Throws ``VaultError/badRequest(field:message:)``, which names the field and never repeats its value.
  package func plan(_ wish: SignInWish, existing: Account?) throws(VaultError) -> SignInPlan {
    if let name = wish.account, !AccountName.isValid(name) {
      throw .badRequest(
        field: "account", message: "a name has 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit")
    }
    let source = try source(wish, existing)
    var profile = source.profile
    if let clientID = wish.clientID { profile.clientID = clientID }
    guard
      let redirect = wish.redirectURI ?? source.redirectURI ?? (profile.kind == "didit" ? nil : Self.standardRedirect)
    else {
      throw .badRequest(field: "redirectUri", message: "this issuer needs the redirect URI that is registered with it")
    }
    try Self.check(redirect, of: profile)
    let scopes = wish.scopes ?? source.scopes
    return SignInPlan(
      name: wish.account ?? existing?.name, issuer: profile, backend: try backend(wish, existing),
      redirectURI: redirect, scopes: scopes.isEmpty && profile.kind == "openid" ? Self.standardScopes : scopes,
      locales: wish.locales)
  }

  /// Live Didit applications come back by HTTPS alone; a redirect to this machine is a sandbox's, and the two never mix.
  static func check(_ redirect: String, of profile: IssuerProfile) throws(VaultError) {
    let destination: RedirectURI.Destination
    do throws(RedirectURIError) { destination = try RedirectURI(redirect).destination } catch {
      throw .badRequest(field: "redirectUri", message: "\(error)")
    }
    if profile.kind == "didit", profile.environment == .live, case .loopback = destination {
      let message = "a live application comes back by https, a sandbox to this machine"
      throw .badRequest(field: "redirectUri", message: message)
    }
  }

  private typealias Source = (profile: IssuerProfile, redirectURI: String?, scopes: [String])

  private func source(_ wish: SignInWish, _ existing: Account?) throws(VaultError) -> Source {
    if let key = wish.publishableKey { return (try Self.profile(key: key, wish), nil, []) }
    if let named = wish.issuer, let configured = issuer(named: named) { return try Self.source(configured, wish) }
    if let url = wish.issuer {
      guard url.contains("://") else { throw .badRequest(field: "issuer", message: unknownIssuer) }
      return (try Self.profile(url: url, wish), nil, [])
    }
    if let existing { return (existing.issuer, existing.redirectURI, existing.scopes) }
    if let name = wish.account, let account = accounts[name], let configured = issuer(named: account.issuer) {
      return try Self.source(configured, wish)
    }
    if issuers.count == 1, let only = issuers.values.first, !wish.isRegistration {
      return try Self.source(only, wish)
    }
    throw .badRequest(field: "issuer", message: "name an issuer or give a publishable key")
  }

  /// Says which names there are, when one was given that is none.
  private var unknownIssuer: String {
    let named = issuers.isEmpty ? "none is configured" : "configured: \(Self.list(issuers.keys))"
    let known = presets.keys.filter { issuers[$0] == nil }
    let described = known.isEmpty ? "" : "; presets: \(Self.list(known))"
    return "no issuer has this name; \(named)\(described); an address starts with https://"
  }

  /// So many names are told in an error.
  private static let most = 16

  private static func list(_ names: some Collection<String>) -> String {
    names.sorted().prefix(most).joined(separator: ", ") + (names.count > most ? ", and more" : "")
  }

  private static func source(_ issuer: ConfiguredIssuer, _ wish: SignInWish) throws(VaultError) -> Source {
    try issuer.requireClient(wish.clientID ?? issuer.profile.clientID)
    return (issuer.profile, issuer.redirectURI, issuer.scopes)
  }

  private func backend(_ wish: SignInWish, _ existing: Account?) throws(VaultError) -> StoreBackend {
    if let text = wish.store {
      guard let backend = StoreBackend(rawValue: text) else {
        throw .badRequest(field: "store", message: "secret-service or sealed-file")
      }
      return backend
    }
    if let existing { return existing.backend }
    if let name = wish.account, let configured = accounts[name] { return configured.backend }
    return store.backend
  }

  // MARK: An issuer that is not configured

  private static func profile(key text: String, _ wish: SignInWish) throws(VaultError) -> IssuerProfile {
    let key: PublishableKey
    do throws(PublishableKeyError) { key = try PublishableKey(text) } catch {
      throw .badRequest(field: "publishableKey", message: "\(error)")
    }
    if let kind = wish.kind, kind != "didit" {
      throw .badRequest(field: "kind", message: "a publishable key belongs to the kind didit")
    }
    if let issuer = wish.issuer, issuer != key.issuer.text {
      throw .badRequest(field: "issuer", message: "it is not the issuer that the publishable key names")
    }
    guard let address = IssuerAddress(publishableKey: text) else {
      throw .badRequest(field: "publishableKey", message: "it is no publishable key")
    }
    return profile(kind: "didit", address, clientID: wish.clientID, rotation: .didit)
  }

  private static func profile(url: String, _ wish: SignInWish) throws(VaultError) -> IssuerProfile {
    let kind = wish.kind ?? "openid"
    guard let rule = IssuerKindRule.named(kind) else {
      if kind == "didit-native" {
        throw .misconfigured(
          account: wish.account, message: "the vendor's native SDK is not published; sign in with --kind didit")
      }
      throw .badRequest(field: "kind", message: IssuerKindRule.all.map(\.name).joined(separator: " or "))
    }
    guard let address = rule.isOrigin ? IssuerAddress(origin: url) : IssuerAddress(issuer: url) else {
      let rule: ValueRule<IssuerAddress> = rule.isOrigin ? .origin : .issuer
      throw .badRequest(field: "issuer", message: "it must be \(rule.expectation)")
    }
    if !rule.isOrigin, wish.clientID == nil {
      throw .badRequest(field: "clientId", message: "an OAuth or OpenID issuer needs a client id")
    }
    return profile(kind: rule.name, address, clientID: wish.clientID, rotation: rule.rotation)
  }

  static func profile(
    kind: String, _ address: IssuerAddress, clientID: String?, rotation: RotationPolicy
  ) -> IssuerProfile {
    IssuerProfile(
      name: label(address), kind: kind, identifier: address.identifier, environment: address.environment,
      clientID: clientID, egress: EgressPolicy(plainLoopback: address.isPlain), rotation: rotation)
  }

  /// The first label of the host, as a name for people: `acme` for `https://acme.auth.didit.me`.
  private static func label(_ address: IssuerAddress) -> String {
    if address.isLoopback { return "sandbox" }
    let labels = address.host.split(separator: ".").map(String.init)
    let first =
      ["www", "auth", "login", "accounts", "id"].contains(labels.first ?? "") ? labels.dropFirst() : labels[...]
    let label = first.first ?? "issuer"
    return AccountName.isValid(label) ? label : "issuer"
  }
}
