import Exchange
import OAuth
package import Vault

extension Configuration {
  /// What a client is called unless somebody says otherwise.
  package static let standardClientName = "Almoner"
  /// The most bytes of a client's name.
  package static let longestClientName = 128

  /// Settles which client is registered where: what was asked, then configuration, then what is usual.
  ///
  /// Throws ``VaultError/badRequest(field:message:)``, which names the field and never repeats its value.
  package func plan(_ wish: RegistrationWish) throws(VaultError) -> RegistrationPlan {
    let source = try source(wish)
    let redirect = wish.redirectURI ?? source.redirectURI ?? Self.standardRedirect
    try Self.check(redirect, of: source.profile)
    if let file = wish.clientSecretFile, ValueRule.absolutePath.read(file) == nil {
      throw .badRequest(field: "clientSecretFile", message: "it must be an absolute path")
    }
    let client = ClientMetadata(
      name: try Self.clientName(wish), redirectURI: redirect, scopes: try Self.scopes(wish.scopes ?? source.scopes),
      showsSecret: wish.clientSecretFile != nil)
    return RegistrationPlan(
      group: source.group, issuer: source.profile, client: client, secretFile: wish.clientSecretFile)
  }

  private struct Source {
    let group: String
    let profile: IssuerProfile
    var redirectURI: String?
    var scopes: [String] = []
  }

  private func source(_ wish: RegistrationWish) throws(VaultError) -> Source {
    guard let configured = issuer(named: wish.issuer) else { return try source(url: wish.issuer, wish.kind) }
    let profile = configured.profile
    guard IssuerKindRule.named(profile.kind)?.isOrigin == false else {
      throw .badRequest(
        field: "issuer", message: "an issuer of the kind \(profile.kind) registers no clients by itself")
    }
    guard wish.kind == nil || wish.kind == profile.kind else {
      throw .badRequest(field: "kind", message: "the configured issuer is of the kind \(profile.kind)")
    }
    return Source(
      group: wish.issuer, profile: profile, redirectURI: configured.redirectURI, scopes: configured.scopes)
  }

  private func source(url: String, _ kind: String?) throws(VaultError) -> Source {
    guard let rule = IssuerKindRule.named(kind ?? "openid"), !rule.isOrigin else {
      let kinds = IssuerKindRule.all.filter { !$0.isOrigin }.map(\.name)
      throw .badRequest(field: "kind", message: kinds.joined(separator: " or "))
    }
    guard let address = IssuerAddress(issuer: url) else {
      throw .badRequest(
        field: "issuer",
        message: "it must be the name of a configured issuer, or \(ValueRule<IssuerAddress>.issuer.expectation)")
    }
    let profile = Self.profile(kind: rule.name, address, clientID: nil, rotation: rule.rotation)
    return Source(group: freeName(profile.name), profile: profile)
  }

  /// A name that no issuer has yet: two groups of one name would be one issuer.
  private func freeName(_ name: String) -> String {
    let names = [name] + (2...99).map { "\(name.prefix(AccountName.maximumLength - 3))-\($0)" }
    return names.first { issuer(named: $0) == nil } ?? name
  }

  private static func clientName(_ wish: RegistrationWish) throws(VaultError) -> String {
    let name = wish.clientName ?? standardClientName
    guard (1...longestClientName).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw .badRequest(
        field: "clientName", message: "it must have 1 to \(longestClientName) bytes and no control characters")
    }
    return name
  }

  private static func scopes(_ scopes: [String]) throws(VaultError) -> [String] {
    guard scopes.allSatisfy(ScopeList.isScope), ScopeList.read(scopes.joined(separator: " ")) != nil else {
      throw .badRequest(field: "scopes", message: "a scope is printable ASCII without spaces (RFC 6749 §3.3)")
    }
    return scopes
  }
}
