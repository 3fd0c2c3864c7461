extension RegisteredClient {
  /// The most characters of what an issuer registered that are repeated to a person.
  static let maximumShown = 200

  /// A sentence for each thing that the issuer registered otherwise than it was asked (RFC 7591 §3.2.1 allows it to).
  /// They repeat the issuer's words, which have to be cleaned before a terminal shows them.
  package func differences(from asked: ClientMetadata) -> [String] {
    var all = [
      Self.difference("redirect_uris", [asked.redirectURI], redirectURIs),
      Self.difference("grant_types", asked.grantTypes, grantTypes),
      Self.difference("response_types", ClientMetadata.responseTypes, responseTypes),
      Self.difference("token_endpoint_auth_method", [asked.authentication.rawValue], authentication.map { [$0] }),
      Self.difference("application_type", [ClientMetadata.applicationType], applicationType.map { [$0] }),
      Self.difference("client_name", [asked.name], name.map { [$0] }),
    ]
    if !asked.scopes.isEmpty { all.append(Self.difference("scope", asked.scopes, scopes)) }
    return all.compactMap { $0 }
  }

  /// Nil when both name the same, in whatever order.
  private static func difference(_ name: String, _ asked: [String], _ registered: [String]?) -> String? {
    guard let registered, Set(asked) != Set(registered) else { return nil }
    let words = registered.isEmpty ? "nothing" : registered.joined(separator: " ")
    let shown = words.count > maximumShown ? words.prefix(maximumShown) + "…" : words[...]
    return "\(name): asked for \(asked.joined(separator: " ")), the issuer registered \(shown)."
  }
}
