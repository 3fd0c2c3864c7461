package import Exchange
import JOSE
import OAuth
package import Vault

/// Any issuer that speaks OpenID Connect: discovery, code with S256 and nonce, and an ID token that says who signed in.
package struct OpenIDIssuer: AuthorizationServed {
  package let profile: IssuerProfile
  package let server: AuthorizationServer
  private let keys: IssuerKeys

  /// Throws ``Vault/IssuerError/configuration(_:)`` unless the profile names an issuer and a client.
  package init(_ profile: IssuerProfile, _ services: IssuerServices) throws(IssuerError) {
    self.profile = profile
    let server = try AuthorizationServer(profile, first: .openID, services)
    self.server = server
    keys = IssuerKeys(server.documents, clock: services.clock) { () async throws(IssuerError) in
      try await server.metadata.required(.keys).text
    }
  }

  package func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    var attempt = attempt
    if !attempt.scopes.contains("openid") { attempt.scopes.insert("openid", at: 0) }
    return try await server.authorizationURL(attempt, own: [Parameter("nonce", secret: attempt.nonce)])
  }

  /// The access token is not looked into: it is the resource server's to read (RFC 6749 §1.4).
  package func verify(
    _ tokens: TokenSet, _ expectation: Expectation
  ) async throws(IssuerError) -> VerifiedIdentity {
    try tokens.requireAccessToken()
    guard let idToken = tokens.idToken else {
      guard expectation.nonce == nil else {
        throw .refused("the issuer granted no ID token, so who signed in is not known")
      }
      // A refresh need not bring one (OpenID Connect Core §12.2); who it is was settled at sign-in.
      guard let subject = expectation.subject else {
        return try await server.deviceUser(tokens.accessToken, expectation.dpopKey)
      }
      return VerifiedIdentity(issuer: server.identifier.text, subject: subject, claims: [])
    }
    let identity = try await keys.verified(idToken, of: tokens)
    let issuedAt = server.documents.issuerTime(tokens.receivedWall)
    let subject = try IssuerError.refusing { () throws(TokenClaimsError) in
      let claims = TokenClaims(identity)
      // Access tokens and logout tokens have types of their own; an ID token has none or the general one.
      try claims.checkType([nil, "jwt"])
      try claims.checkIssuer(server.identifier)
      try claims.checkAudience(server.clientID)
      try claims.checkTimes(now: issuedAt)
      if let nonce = expectation.nonce { try claims.checkNonce(nonce) }
      try claims.checkAccessTokenHash(tokens.accessToken)
      return try claims.subject()
    }
    try expectation.check(subject: subject)
    var shown = ShownClaims()
    shown.add(identity)
    return VerifiedIdentity(issuer: server.identifier.text, subject: subject, claims: shown.claims)
  }

  package func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    try await server.revocationRequests(tokens)
  }

  package func logoutRequest(_ tokens: TokenSet) async throws(IssuerError) -> OutgoingRequest? {
    try await server.logoutRequest(tokens)
  }
}
