package import Exchange
package import Secrets

/// How one kind of issuer is spoken to. A new kind is a new conforming type and one line in the registry of `Issuers`.
///
/// Building requests and reading answers is pure; what has to be fetched first (metadata, keys) is fetched through the
/// `fetch` closure that the conforming type was made with, and cached by it.
package protocol Issuer: Sendable {
  var profile: IssuerProfile { get }

  /// The URL of the authorization request (RFC 6749 §4.1.1 with RFC 7636), to be opened in the external user-agent.
  func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String

  /// Whether the issuer promises `iss` in authorization responses (RFC 9207 §3).
  func promisesIssuerParameter() async throws(IssuerError) -> Bool

  /// The token request that redeems a code.
  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest

  /// The token request that refreshes; with `narrowing`, for an access token of less than what was granted.
  ///
  /// A response that names no `scope` then grants the scopes that were asked for (RFC 6749 §5.1).
  func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest

  /// Reads a token endpoint's answer leniently: a rotated token is never dropped for an oddity beside it.
  /// `previous` is the generation that was refreshed, nil for a code.
  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer

  /// Checks what was received (signature, `iss`, `aud`, `exp`, `typ`, `act`, `nonce`). Only what passes is served.
  func verify(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity

  /// The request that asks the issuer whether the session lives (Didit's `GET session/`); nil where there is none.
  func sessionRequest(accessToken: SecretBox) -> OutgoingRequest?

  /// The requests that end the session at the issuer, in order: refresh token first. Empty where the issuer has none.
  func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest]

  /// The request that ends the session of the person's browser at the issuer, which outlives the tokens; nil where there
  /// is none.
  func logoutRequest(_ tokens: TokenSet) async throws(IssuerError) -> OutgoingRequest?
}

extension Issuer {
  package func logoutRequest(_ tokens: TokenSet) async throws(IssuerError) -> OutgoingRequest? { nil }

  /// The token request that refreshes, for all that was granted.
  package func refreshRequest(refreshToken: SecretBox) async throws(IssuerError) -> OutgoingRequest {
    try await refreshRequest(refreshToken: refreshToken, narrowing: nil)
  }
}

/// What an ID token has to agree with.
package struct Expectation: Sendable {
  /// The nonce of the attempt; nil on refresh and where the issuer has none.
  package let nonce: SecretBox?
  /// `sub` of the account being renewed; nil at a first sign-in.
  package let subject: String?
  /// The key that the tokens are bound to, where the issuer has to be asked with the access token.
  package let dpopKey: SecretBox?

  package init(nonce: SecretBox?, subject: String?, dpopKey: SecretBox? = nil) {
    self.nonce = nonce
    self.subject = subject
    self.dpopKey = dpopKey
  }
}

/// One attempt at signing in, as far as requests need it.
package struct AuthorizationAttempt: Sendable {
  package let redirectURI: String
  /// `state` (RFC 6749 §4.1.1): 32 random bytes, base64url.
  package let state: SecretBox
  /// `code_verifier` (RFC 7636 §4.1). Never leaves the daemon but in the token request.
  package let verifier: SecretBox
  /// `nonce` (OpenID Connect Core §3.1.2.1).
  package let nonce: SecretBox
  package var scopes: [String]
  /// `ui_locales`, in order of preference.
  package let locales: [String]
  /// What the sign-in is to prove (RFC 9470 §4), if that was asked.
  package let challenge: AuthenticationChallenge?
  /// The key that the tokens are to be bound to, if they are (``KeyBinding``).
  package let dpopKey: SecretBox?

  package init(
    redirectURI: String, state: SecretBox, verifier: SecretBox, nonce: SecretBox, scopes: [String], locales: [String],
    challenge: AuthenticationChallenge? = nil, dpopKey: SecretBox? = nil
  ) {
    self.redirectURI = redirectURI
    self.state = state
    self.verifier = verifier
    self.nonce = nonce
    self.scopes = scopes
    self.locales = locales
    self.challenge = challenge
    self.dpopKey = dpopKey
  }
}

/// What a token endpoint's answer means for the generation that was sent.
package enum TokenAnswer: Sendable {
  /// A new generation.
  case granted(TokenSet)
  /// Definite: this refresh token or code is dead (`invalid_grant`, an empty 400).
  case dead(String)
  /// Our configuration is wrong (`invalid_client`, 404, …). The tokens are kept.
  case misconfigured(String)
  /// The request was turned away before anything was done: the token is as good as before. `retryAfter` in seconds, as
  /// sent.
  case declined(String, retryAfter: Int64?)
  /// The same, for want of a proof of possession that the issuer takes (RFC 9449 §5). Where the issuer's adapter has learned
  /// the nonce for one from the answer (§8), the request made anew is taken.
  case challenged(String, hasNonce: Bool)
  /// Whether anything was done cannot be known, and so neither the fate of the token. `retryAfter` in seconds, as sent.
  case unknown(String, retryAfter: Int64?)
}

/// Who signed in, as a verified ID token (or Didit's access token) says.
package struct VerifiedIdentity: Equatable, Sendable {
  package let issuer: String
  /// `sub`; empty where the issuer cannot say who signed in.
  package let subject: String
  /// Claims fit to be shown: strings, booleans and numbers as text, in the token's order.
  package let claims: [Claim]

  package struct Claim: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(issuer: String, subject: String, claims: [Claim]) {
    self.issuer = issuer
    self.subject = subject
    self.claims = claims
  }

  /// Whether both are known, and the same person.
  func isSamePerson(as other: Self) -> Bool { isKnown && subject == other.subject }

  /// Whether anybody can say who signed in.
  var isKnown: Bool { !subject.isEmpty }
}

/// Why an issuer could not be spoken to, or what it said was refused. The text holds nothing secret.
package enum IssuerError: Error, Equatable, Sendable {
  /// Metadata or keys could not be fetched now.
  case temporary(String)
  /// What is configured cannot work: unknown kind, insecure URL, metadata of another issuer, …
  case configuration(String)
  /// A token failed its checks.
  case refused(String)
}
