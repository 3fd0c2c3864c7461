package import Exchange
import JOSE
import OAuth
package import Secrets
package import Time
package import Vault

/// Any issuer that speaks OpenID Connect: discovery, code with S256 and nonce, a public client.
package struct OpenIDIssuer: Issuer {
  /// The lifetime of an access token whose response does not say. Short, so that it is not served when dead.
  static let assumedLifetime = Duration.seconds(300)

  package let profile: IssuerProfile
  private let identifier: IssuerIdentifier
  private let clientID: String
  private let documents: PublishedDocuments
  private let metadata: IssuerMetadata
  private let keys: IssuerKeys

  /// Throws ``Vault/IssuerError/configuration(_:)`` unless the profile names an issuer and a client.
  package init(_ profile: IssuerProfile, fetch: @escaping Fetch, clock: any Clock) throws(IssuerError) {
    guard let clientID = profile.clientID, !clientID.isEmpty else {
      throw .configuration("an OpenID issuer needs a client-id")
    }
    self.profile = profile
    self.clientID = clientID
    identifier = try IssuerIdentifier(of: profile)
    documents = PublishedDocuments(egress: profile.egress, fetch: fetch)
    let metadata = IssuerMetadata(
      documents, identifier, EndpointPolicy(plainLoopback: profile.egress.plainLoopback), clock: clock)
    self.metadata = metadata
    keys = IssuerKeys(documents, clock: clock) { () async throws(IssuerError) in
      try await metadata.current().keysURL.text
    }
  }

  package func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    let scopes = attempt.scopes.contains("openid") ? attempt.scopes : ["openid"] + attempt.scopes
    var parameters = [
      Parameter("response_type", "code"), Parameter("client_id", clientID),
      Parameter("redirect_uri", attempt.redirectURI), Parameter("scope", scopes.joined(separator: " ")),
      Parameter("state", secret: attempt.state), Parameter("nonce", secret: attempt.nonce),
      Parameter("code_challenge", CodeChallenge(s256: attempt.verifier).text),
      Parameter("code_challenge_method", CodeChallenge.method),
    ]
    if let challenge = attempt.challenge {
      // RFC 9470 §4, OpenID Connect Core §3.1.2.1.
      if !challenge.acrValues.isEmpty {
        parameters.append(Parameter("acr_values", challenge.acrValues.joined(separator: " ")))
      }
      if let maxAge = challenge.maxAge { parameters.append(Parameter("max_age", String(maxAge))) }
    }
    if !attempt.locales.isEmpty {
      parameters.append(Parameter("ui_locales", attempt.locales.joined(separator: " ")))
    }
    let endpoint = try await metadata.current().authorizationEndpoint
    return try AuthorizationRequest(endpoint: endpoint, parameters: parameters).browserURL()
  }

  package func promisesIssuerParameter() async throws(IssuerError) -> Bool {
    try await metadata.current().promisesIssuerParameter
  }

  package func codeRequest(
    code: SecretBox, attempt: AuthorizationAttempt
  ) async throws(IssuerError) -> OutgoingRequest {
    let request = TokenRequest.code(
      code, verifier: attempt.verifier, redirectURI: attempt.redirectURI, clientID: clientID)
    return try post(request, to: try await metadata.current().tokenEndpoint)
  }

  package func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    if let resource = narrowing?.resource, !ResourceIndicator.isValid(resource) {
      throw .configuration("a resource is an absolute URI without a fragment (RFC 8707 §2)")
    }
    let request = TokenRequest.refresh(
      refreshToken, clientID: clientID, scopes: narrowing?.scopes ?? [], resource: narrowing?.resource)
    return try post(request, to: try await metadata.current().tokenEndpoint)
  }

  package func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    documents.note(answer)
    return TokenRules(assumedLifetime: Self.assumedLifetime, keepsUnrotated: profile.rotation.keepsUnrotated)
      .read(answer, previous: previous)
  }

  /// The access token is not looked into: it is the resource server's to read (RFC 6749 §1.4).
  package func verify(
    _ tokens: TokenSet, _ expectation: Expectation
  ) async throws(IssuerError) -> VerifiedIdentity {
    try tokens.requireAccessToken()
    guard let idToken = tokens.idToken else {
      // A refresh need not bring one (OpenID Connect Core §12.2); who it is was settled at sign-in.
      guard expectation.nonce == nil, let subject = expectation.subject else {
        throw .refused("the issuer granted no ID token, so who signed in is not known")
      }
      return VerifiedIdentity(issuer: identifier.text, subject: subject, claims: [])
    }
    let identity = try await keys.verified(idToken, of: tokens)
    let issuedAt = documents.issuerTime(tokens.receivedWall)
    let subject = try IssuerError.refusing { () throws(TokenClaimsError) in
      let claims = TokenClaims(identity)
      // Access tokens and logout tokens have types of their own; an ID token has none or the general one.
      try claims.checkType([nil, "jwt"])
      try claims.checkIssuer(identifier)
      try claims.checkAudience(clientID)
      try claims.checkTimes(now: issuedAt)
      if let nonce = expectation.nonce { try claims.checkNonce(nonce) }
      try claims.checkAccessTokenHash(tokens.accessToken)
      return try claims.subject()
    }
    try expectation.check(subject: subject)
    var shown = ShownClaims()
    shown.add(identity)
    return VerifiedIdentity(issuer: identifier.text, subject: subject, claims: shown.claims)
  }

  package func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { nil }

  /// Revocation (RFC 7009): the refresh token first, since most issuers end what hangs on it as well.
  package func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    guard let endpoint = try await metadata.revocationEndpoint() else { return [] }
    var requests: [OutgoingRequest] = []
    if let refreshToken = tokens.refreshToken {
      requests.append(
        try post(.revocation(of: refreshToken, hint: "refresh_token", clientID: clientID), to: endpoint))
    }
    if tokens.accessToken.count > 0 {
      requests.append(
        try post(.revocation(of: tokens.accessToken, hint: "access_token", clientID: clientID), to: endpoint))
    }
    return requests
  }

  private func post(_ request: TokenRequest, to endpoint: WebURL) throws(IssuerError) -> OutgoingRequest {
    do throws(SecretMemoryExhausted) {
      return OutgoingRequest(
        .post, endpoint.text, contentType: .form, body: try request.formBody(), egress: profile.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }
}
