package import OAuth

/// What is written of an OAuth or OpenID issuer beside its address: for what it does not publish, or wants in its own way.
package struct IssuerOptions: Equatable, Sendable {
  /// When an authorization request is pushed to the issuer first (RFC 9126), and the browser gets no more than its name.
  package enum PushedAuthorization: String, CaseIterable, Sendable {
    /// Where the issuer has the endpoint for it.
    case auto
    case always
    case never
  }

  /// How the client's secret is shown (RFC 6749 §2.3.1).
  package enum ClientAuthentication: String, CaseIterable, Sendable {
    /// As the issuer's metadata wants it.
    case auto
    /// `client_secret_basic`.
    case basic
    /// `client_secret_post`.
    case post
  }

  /// Endpoints written out; they count more than the issuer's metadata. All are URLs that configuration has checked.
  package var endpoints: [ServerEndpoint: String] = [:]
  package var pushedAuthorization = PushedAuthorization.auto
  /// `resource` of every request (RFC 8707 §2); nil for wherever the issuer lets tokens be used.
  package var resource: String?
  /// The file that holds the client's secret, for issuers that insist on one. Nil for a public client.
  package var clientSecretFile: String?
  package var clientAuthentication = ClientAuthentication.auto
  /// The member of what `userinfo_endpoint` says that names the person for good; nil for `sub`.
  package var subjectClaim: String?
  /// The lifetime of an access token whose response does not say (RFC 6749 §5.1); nil for what the kind assumes.
  package var assumedLifetime: Duration?

  /// Whether a refresh may ask for less than was granted and leaves the session as wide as it was (RFC 6749 §6). Not
  /// believed of an issuer unless it is configured: some grant everything all the same, and with others the session stays
  /// narrow for good.
  package var narrows = false

  /// Whether tokens are to be bound to a key that never leaves the daemon (RFC 9449). An issuer that grants others all
  /// the same is refused.
  package var dpop = false

  package init() {}
}
