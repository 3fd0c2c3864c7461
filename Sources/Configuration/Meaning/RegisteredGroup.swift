import OAuth
package import Secrets
package import Vault

/// The `[issuer NAME]` that a registered client is used by, ready to be put into a configuration file. Pure.
package struct RegisteredGroup: Sendable {
  /// The group as text: each line ends with a line feed.
  package let text: String
  package let redirectURI: String
  package let scopes: [String]
  /// What the issuer did otherwise than it was asked, in sentences.
  package let notes: [String]
  /// The secret that the client shows; it belongs into the file that the group names.
  package let secret: SecretBox?

  /// Throws ``Vault/IssuerError/configuration(_:)`` when the client is of no use here.
  package init(_ plan: RegistrationPlan, _ registration: ClientRegistration) throws(IssuerError) {
    let (client, asked) = (registration.client, registration.asked)
    let authentication = try Self.authentication(of: client, asked, plan)
    redirectURI = try Self.redirectURI(of: client, asked)
    let registered = asked.scopes.filter { client.scopes?.contains($0) ?? true }
    scopes = registered.isEmpty ? asked.scopes : registered
    var notes = client.differences(from: asked)
    secret = authentication == .nothing ? nil : client.secret
    if authentication == .nothing, client.secret != nil {
      notes.append("The issuer gave the client a secret that it does not show; it is kept nowhere.")
    }
    self.notes = notes
    var lines: [(key: String, value: String)] = [
      (IssuerKey.kind.rawValue, plan.issuer.kind), (IssuerKey.issuer.rawValue, plan.issuer.identifier),
      (IssuerKey.clientID.rawValue, client.id), (IssuerKey.redirectURI.rawValue, redirectURI),
    ]
    if !scopes.isEmpty { lines.append((IssuerKey.scopes.rawValue, scopes.joined(separator: " "))) }
    if secret != nil, let file = plan.secretFile {
      lines.append((IssuerOptionKey.clientSecretFile.rawValue, file))
      lines.append((IssuerOptionKey.clientAuthentication.rawValue, authentication == .post ? "post" : "basic"))
    }
    text = "[issuer \(plan.group)]\n" + lines.map { "\($0.key)=\(ValueEscapes.escape($0.value))\n" }.joined()
  }

  /// How the client has to show who it is.
  private static func authentication(
    of client: RegisteredClient, _ asked: ClientMetadata, _ plan: RegistrationPlan
  ) throws(IssuerError) -> ClientMetadata.Authentication {
    guard let method = method(of: client, asked) else {
      throw .configuration(
        "the issuer registered the client \(client.id) to show who it is in a way that is not known here")
    }
    switch (method, client.secret) {
    case (.nothing, _): return method
    case (.basic, nil), (.post, nil):
      throw .configuration("the issuer registered the client \(client.id) to show a secret, and gave none")
    case (.basic, _?), (.post, _?):
      guard plan.secretFile != nil else {
        throw .configuration(
          "the issuer registered the client \(client.id) to show a secret, though none was asked for; the secret is kept "
            + "nowhere, and the client of no use: register another one with --client-secret-file")
      }
      return method
    }
  }

  /// An issuer that does not say how a client with a secret shows it means `client_secret_basic` (RFC 7591 §2).
  private static func method(
    of client: RegisteredClient, _ asked: ClientMetadata
  ) -> ClientMetadata.Authentication? {
    if let text = client.authentication { return ClientMetadata.Authentication(rawValue: text) }
    guard client.secret != nil else { return .nothing }
    return asked.authentication == .nothing ? .basic : asked.authentication
  }

  private static func redirectURI(
    of client: RegisteredClient, _ asked: ClientMetadata
  ) throws(IssuerError) -> String {
    guard let registered = client.redirectURIs, !registered.contains(asked.redirectURI) else {
      return asked.redirectURI
    }
    guard let usable = registered.first(where: { ValueRule.redirectURI.read($0) != nil }) else {
      throw .configuration("the issuer registered the client \(client.id) without a redirect URI that could be used")
    }
    return usable
  }
}
