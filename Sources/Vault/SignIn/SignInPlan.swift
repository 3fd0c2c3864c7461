/// What a sign-in is for, settled before the browser opens.
package struct SignInPlan: Sendable {
  /// The account's name: one that exists is renewed. Nil: named after the issuer.
  package let name: String?
  package let issuer: IssuerProfile
  package let backend: StoreBackend
  package let redirectURI: String
  package var scopes: [String]
  /// `ui_locales`, in order of preference.
  package let locales: [String]
  /// What the sign-in is to prove, when a resource demanded more than the last one did.
  package var challenge: AuthenticationChallenge?
  /// How the first tokens are got.
  package var grant = Grant.code

  package enum Grant: Sendable {
    /// The authorization code grant (RFC 6749 §4.1).
    case code
    /// The device authorization grant (RFC 8628).
    case device
  }

  package init(
    name: String?, issuer: IssuerProfile, backend: StoreBackend, redirectURI: String, scopes: [String],
    locales: [String]
  ) {
    self.name = name
    self.issuer = issuer
    self.backend = backend
    self.redirectURI = redirectURI
    self.scopes = scopes
    self.locales = locales
  }

  /// The same plan with the redirect URI that the listener was given a port for.
  package func with(redirectURI: String) -> Self {
    var plan = Self(
      name: name, issuer: issuer, backend: backend, redirectURI: redirectURI, scopes: scopes, locales: locales)
    plan.challenge = challenge
    plan.grant = grant
    return plan
  }

  /// The same plan for the device authorization grant.
  package var byDevice: Self {
    var plan = self
    plan.grant = .device
    return plan
  }
}
