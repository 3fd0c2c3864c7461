import Exchange
import Secrets
import Vault

/// The plain issuer without what it has beside OAuth.
struct BareIssuer: Issuer {
  let plain: PlainIssuer

  init(_ plain: PlainIssuer) { self.plain = plain }

  var profile: IssuerProfile { plain.profile }

  func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    try await plain.authorizationURL(attempt)
  }

  func promisesIssuerParameter() async throws(IssuerError) -> Bool { try await plain.promisesIssuerParameter() }

  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest {
    try await plain.codeRequest(code: code, attempt: attempt)
  }

  func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    try await plain.refreshRequest(refreshToken: refreshToken, narrowing: narrowing)
  }

  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer { plain.read(answer, previous: previous) }

  func verify(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity {
    try await plain.verify(tokens, expectation)
  }

  func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { plain.sessionRequest(accessToken: accessToken) }

  func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] {
    try await plain.endSessionRequests(tokens)
  }
}
