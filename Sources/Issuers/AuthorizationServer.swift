import Exchange
import OAuth
import Secrets
import Time
import Vault

/// What every authorization server has in common (RFC 6749): where requests go and how they are made, by whatever client.
/// Who signed in is not its business.
package struct AuthorizationServer: Sendable {
  /// The lifetime of an access token whose response does not say. Short, so that it is not served when dead.
  static let assumedLifetime = Duration.seconds(300)

  let profile: IssuerProfile
  let identifier: IssuerIdentifier
  let clientID: String
  let documents: PublishedDocuments
  let metadata: IssuerMetadata
  let prover: DPoPProver
  private let client: ClientAuthentication

  /// Throws ``Vault/IssuerError/configuration(_:)`` unless the profile names an issuer and a client.
  init(
    _ profile: IssuerProfile, first: IssuerMetadata.First, _ services: IssuerServices
  ) throws(IssuerError) {
    guard let clientID = profile.clientID, !clientID.isEmpty else {
      throw .configuration("an OAuth or OpenID issuer needs a client-id")
    }
    self.profile = profile
    self.clientID = clientID
    identifier = try IssuerIdentifier(of: profile)
    documents = PublishedDocuments(egress: profile.egress, fetch: services.fetch)
    metadata = try IssuerMetadata(documents, identifier, profile, first: first, clock: services.clock)
    prover = DPoPProver(documents: documents, clock: services.clock)
    client = ClientAuthentication(profile, clientID: clientID, readSecret: services.readSecret)
  }

  /// The URL for the browser (RFC 6749 §4.1.1 with RFC 7636 §4.3). `own` are the parameters of the issuer's kind.
  func authorizationURL(_ attempt: AuthorizationAttempt, own: [Parameter]) async throws(IssuerError) -> String {
    var parameters = [Parameter("response_type", "code"), Parameter("redirect_uri", attempt.redirectURI)]
    if !attempt.scopes.isEmpty { parameters.append(Parameter("scope", attempt.scopes.joined(separator: " "))) }
    parameters += [Parameter("state", secret: attempt.state)] + own
    parameters += [
      Parameter("code_challenge", CodeChallenge(s256: attempt.verifier).text),
      Parameter("code_challenge_method", CodeChallenge.method),
    ]
    if let key = attempt.dpopKey { parameters.append(Parameter("dpop_jkt", try DPoPProver.thumbprint(key))) }
    if let challenge = attempt.challenge {
      // RFC 9470 §4, OpenID Connect Core §3.1.2.1.
      if !challenge.acrValues.isEmpty {
        parameters.append(Parameter("acr_values", challenge.acrValues.joined(separator: " ")))
      }
      if let maxAge = challenge.maxAge { parameters.append(Parameter("max_age", String(maxAge))) }
    }
    if let resource = profile.options.resource { parameters.append(Parameter("resource", resource)) }
    if !attempt.locales.isEmpty {
      parameters.append(Parameter("ui_locales", attempt.locales.joined(separator: " ")))
    }
    let name = Parameter("client_id", clientID)
    let endpoint = try await metadata.required(.authorization)
    if let pushing = try await pushingEndpoint() {
      let request = try await post(TokenRequest([name] + parameters), to: pushing)
      parameters = [try await PushedRequest(documents).push(request)]
    }
    return try AuthorizationRequest(endpoint: endpoint, parameters: [name] + parameters).browserURL()
  }

  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest {
    let request = TokenRequest.code(
      code, verifier: attempt.verifier, redirectURI: attempt.redirectURI, clientID: nil,
      resource: profile.options.resource)
    return try await post(request, to: try await metadata.required(.token))
  }

  func refreshRequest(refreshToken: SecretBox, narrowing: Narrowing?) async throws(IssuerError) -> OutgoingRequest {
    if let resource = narrowing?.resource, !ResourceIndicator.isValid(resource) {
      throw .configuration("a resource is an absolute URI without a fragment (RFC 8707 §2)")
    }
    let request = TokenRequest.refresh(
      refreshToken, clientID: nil, scopes: narrowing?.scopes ?? [],
      resource: narrowing?.resource ?? profile.options.resource)
    return try await post(request, to: try await metadata.required(.token))
  }

  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    documents.note(answer)
    return TokenRules(
      assumedLifetime: profile.options.assumedLifetime ?? Self.assumedLifetime,
      keepsUnrotated: profile.rotation.keepsUnrotated
    ).read(answer, previous: previous)
  }

  /// Revocation (RFC 7009): the refresh token first, since most issuers end what hangs on it as well.
  func revocationRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    guard let endpoint = try await metadata.endpoint(.revocation) else { return [] }
    var requests: [OutgoingRequest] = []
    if let refreshToken = tokens.refreshToken {
      let request = TokenRequest.revocation(of: refreshToken, hint: "refresh_token", clientID: nil)
      requests.append(try await post(request, to: endpoint))
    }
    if tokens.accessToken.count > 0 {
      let request = TokenRequest.revocation(of: tokens.accessToken, hint: "access_token", clientID: nil)
      requests.append(try await post(request, to: endpoint))
    }
    return requests
  }

  /// RP-initiated logout (OpenID Connect RP-Initiated Logout §2), as a form, so that the ID token is in no address. Nil
  /// where the issuer has none, or no ID token could say whose session is meant.
  func logoutRequest(_ tokens: TokenSet) async throws(IssuerError) -> OutgoingRequest? {
    guard let idToken = tokens.idToken, let endpoint = try await metadata.endpoint(.endSession) else { return nil }
    let request = TokenRequest([Parameter("id_token_hint", secret: idToken), Parameter("client_id", clientID)])
    do throws(SecretMemoryExhausted) {
      return OutgoingRequest(
        .post, endpoint.text, contentType: .form, body: try request.formBody(), egress: profile.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }

  /// Where the authorization request is pushed, or nil when it goes by way of the browser.
  private func pushingEndpoint() async throws(IssuerError) -> WebURL? {
    switch profile.options.pushedAuthorization {
    case .auto:
      let current = try await metadata.current()
      return current.requiresPushedAuthorization
        ? try await metadata.required(.pushedAuthorization) : current[.pushedAuthorization]
    case .always: return try await metadata.required(.pushedAuthorization)
    case .never: return nil
    }
  }

  func post(_ request: TokenRequest, to endpoint: WebURL) async throws(IssuerError) -> OutgoingRequest {
    try await client.post(
      request, to: endpoint, secretInBody: try await metadata.current().wantsSecretInBody)
  }
}
