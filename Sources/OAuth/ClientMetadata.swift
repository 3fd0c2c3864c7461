import JSON
package import Secrets

/// What a native application asks to be registered as (RFC 7591 §2; `application_type` is of OpenID Connect Dynamic Client
/// Registration §2).
package struct ClientMetadata: Equatable, Sendable {
  /// `token_endpoint_auth_method`: how the client shows who it is.
  package enum Authentication: String, CaseIterable, Sendable {
    /// Not at all: a public client.
    case nothing = "none"
    case basic = "client_secret_basic"
    case post = "client_secret_post"
  }

  /// The grant type of RFC 8628 §3.4.
  package static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  static let applicationType = "native"
  static let responseTypes = ["code"]

  /// `client_name`: what the issuer's pages call the client.
  package let name: String
  /// The one of `redirect_uris`.
  package let redirectURI: String
  /// `scope`; empty when the issuer is to choose.
  package let scopes: [String]
  package var authentication: Authentication
  /// `grant_types`
  package var grantTypes = ["authorization_code", "refresh_token"]

  /// A public client, unless `showsSecret`.
  package init(name: String, redirectURI: String, scopes: [String], showsSecret: Bool) {
    self.name = name
    self.redirectURI = redirectURI
    self.scopes = scopes
    authentication = showsSecret ? .basic : .nothing
  }

  /// The body of the registration request (RFC 7591 §3.1).
  package func body() throws(SecretMemoryExhausted) -> SecretBox {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("application_type", Self.applicationType)
      writer.member("client_name", name)
      writer.member("redirect_uris", strings: [redirectURI])
      writer.member("grant_types", strings: grantTypes)
      writer.member("response_types", strings: Self.responseTypes)
      writer.member("token_endpoint_auth_method", authentication.rawValue)
      writer.member("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
    }
    var buffer = writer.finish()
    return SecretBox(try buffer.takeSecret())
  }
}
