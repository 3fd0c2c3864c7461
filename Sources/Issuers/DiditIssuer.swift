package import Exchange
import JOSE
import JSON
import OAuth
package import Secrets
package import Time
package import Vault

/// Didit's hosted sign-in: a public client, code with S256, JSON at `token/`, one session per sign-in.
///
/// Tried against a model of the published contract only, never yet against the vendor.
package struct DiditIssuer: Issuer {
  /// The most characters of a code.
  static let maximumCode = 128
  /// The lifetime of an access token whose response does not say: what the contract allows at most.
  static let assumedLifetime = Duration.seconds(300)
  /// The languages of the sign-in page.
  static let locales: Set<String> = ["en", "es", "fr", "ja", "de"]

  package let profile: IssuerProfile
  private let identifier: IssuerIdentifier
  private let documents: PublishedDocuments
  private let keys: IssuerKeys

  /// Throws ``Vault/IssuerError/configuration(_:)`` unless the profile names a bare origin, by https or, for a sandbox, on
  /// this machine.
  package init(_ profile: IssuerProfile, fetch: @escaping Fetch, clock: any Clock) throws(IssuerError) {
    self.profile = profile
    identifier = try IssuerIdentifier(of: profile)
    guard identifier.path.isEmpty else {
      throw .configuration("Didit's origin is scheme and host, with nothing behind")
    }
    documents = PublishedDocuments(egress: profile.egress, fetch: fetch)
    let url = identifier.text + "/.well-known/jwks.json"
    keys = IssuerKeys(documents, clock: clock) { () async throws(IssuerError) in url }
  }

  package func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    var parameters = [
      Parameter("redirect_uri", attempt.redirectURI), Parameter("state", secret: attempt.state),
      Parameter("code_challenge", CodeChallenge(s256: attempt.verifier).text),
      Parameter("code_challenge_method", CodeChallenge.method),
    ]
    let locales = Self.languages(attempt.locales)
    if !locales.isEmpty { parameters.append(Parameter("ui_locales", locales.joined(separator: " "))) }
    let endpoint = try WebURL(configured: identifier.text + "/sign-in")
    return try AuthorizationRequest(endpoint: endpoint, parameters: parameters).browserURL()
  }

  package func promisesIssuerParameter() async throws(IssuerError) -> Bool { false }

  package func codeRequest(
    code: SecretBox, attempt: AuthorizationAttempt
  ) async throws(IssuerError) -> OutgoingRequest {
    guard code.count <= Self.maximumCode else {
      throw .refused("the code has more than \(Self.maximumCode) characters, which Didit's never have")
    }
    return try post(
      .code(code, verifier: attempt.verifier, redirectURI: attempt.redirectURI, clientID: profile.clientID))
  }

  package func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    guard narrowing == nil else { throw .configuration("Didit grants one access token and narrows none") }
    // Didit refuses every field that is not the grant's own, `client_id` too.
    return try post(.refresh(refreshToken, clientID: nil))
  }

  package func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    documents.note(answer)
    return TokenRules(assumedLifetime: Self.assumedLifetime, keepsUnrotated: profile.rotation.keepsUnrotated)
      .read(answer, previous: previous)
  }

  package func verify(
    _ tokens: TokenSet, _ expectation: Expectation
  ) async throws(IssuerError) -> VerifiedIdentity {
    try tokens.requireAccessToken()
    let access = try await keys.verified(tokens.accessToken, of: tokens)
    let issuedAt = documents.issuerTime(tokens.receivedWall)
    let subject = try IssuerError.refusing { () throws(TokenClaimsError) in
      let claims = TokenClaims(access)
      try claims.checkType(["at+jwt"])
      return try common(claims, issuedAt)
    }
    var shown = ShownClaims()
    if let idToken = tokens.idToken {
      let identity = try await keys.verified(idToken, of: tokens)
      let named = try IssuerError.refusing { () throws(TokenClaimsError) in
        let claims = TokenClaims(identity)
        try claims.checkType(["jwt"])
        try claims.checkAccessTokenHash(tokens.accessToken)
        return try common(claims, issuedAt)
      }
      guard named == subject else { throw .refused("ID token and access token name different people (sub)") }
      shown.add(identity)
    }
    shown.add(access)
    try expectation.check(subject: subject)
    return VerifiedIdentity(issuer: identifier.text, subject: subject, claims: shown.claims)
  }

  package func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? {
    OutgoingRequest(.get, identifier.text + "/session/", bearer: accessToken, egress: profile.egress)
  }

  package func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    [OutgoingRequest(.delete, identifier.text + "/session/", bearer: tokens.accessToken, egress: profile.egress)]
  }

  private func common(_ claims: TokenClaims, _ issuedAt: WallInstant) throws(TokenClaimsError) -> String {
    try claims.checkIssuer(identifier)
    if let clientID = profile.clientID { try claims.checkAudience(clientID) }
    try claims.checkTimes(now: issuedAt)
    try claims.checkNoActor()
    return try claims.subject()
  }

  /// A request of a signed-in person, with one JSON object as its body.
  func post(
    _ path: String, _ accessToken: SecretBox, _ members: (inout JSONWriter) -> Void
  ) throws(IssuerError) -> OutgoingRequest {
    var writer = JSONWriter()
    writer.object(members)
    var buffer = writer.finish()
    do throws(SecretMemoryExhausted) {
      return OutgoingRequest(
        .post, identifier.text + path, bearer: accessToken, contentType: .json,
        body: SecretBox(try buffer.takeSecret()), egress: profile.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }

  private func post(_ request: TokenRequest) throws(IssuerError) -> OutgoingRequest {
    do throws(SecretMemoryExhausted) {
      return OutgoingRequest(
        .post, identifier.text + "/token/", contentType: .json, body: try request.jsonBody(), egress: profile.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }

  /// The languages wanted that the page has, each once.
  private static func languages(_ locales: [String]) -> [String] {
    locales.reduce(into: []) { languages, locale in
      let language = locale.prefix { $0 != "-" && $0 != "_" && $0 != "." }.lowercased()
      if Self.locales.contains(language), !languages.contains(language) { languages.append(language) }
    }
  }
}
