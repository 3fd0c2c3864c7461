package import Exchange
import OAuth
package import Vault

/// An OAuth 2.0 authorization server without OpenID: endpoints written out, or found by RFC 8414; no ID token.
///
/// Who signed in is what its `userinfo-endpoint` says, asked once, with the first access token. Where there is none, nobody
/// can tell one person from another, and the identity's subject stays empty.
package struct OAuthIssuer: AuthorizationServed {
  package let profile: IssuerProfile
  package let server: AuthorizationServer

  /// Throws ``Vault/IssuerError/configuration(_:)`` unless the profile names an issuer and a client.
  package init(_ profile: IssuerProfile, _ services: IssuerServices) throws(IssuerError) {
    self.profile = profile
    server = try AuthorizationServer(profile, first: .authorizationServer, services)
  }

  package func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    try await server.authorizationURL(attempt, own: [])
  }

  package func verify(
    _ tokens: TokenSet, _ expectation: Expectation
  ) async throws(IssuerError) -> VerifiedIdentity {
    try tokens.requireAccessToken()
    // Only a sign-in has a nonce, or nobody to expect. A refresh token leads to nobody but the person it was granted to.
    // An endpoint that metadata names is OpenID's, and answers to nobody who was not granted `openid`.
    guard expectation.nonce != nil || expectation.subject == nil, profile.options.endpoints[.userInfo] != nil,
      let endpoint = try await server.metadata.endpoint(.userInfo)
    else {
      return VerifiedIdentity(issuer: server.identifier.text, subject: expectation.subject ?? "", claims: [])
    }
    let person = try await UserInfo(server, endpoint).ask(tokens.accessToken, dpopKey: expectation.dpopKey)
    try expectation.check(subject: person.subject)
    return VerifiedIdentity(issuer: server.identifier.text, subject: person.subject, claims: person.claims)
  }

  package func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    try await server.revocationRequests(tokens)
  }
}
