/// An endpoint that an authorization server's metadata may name; the raw value is the member's name.
///
/// One that is used by something new is one line here: configuration then knows it too.
package enum ServerEndpoint: String, CaseIterable, Sendable {
  case authorization = "authorization_endpoint"
  case token = "token_endpoint"
  case keys = "jwks_uri"
  /// RFC 7009.
  case revocation = "revocation_endpoint"
  /// RFC 9126.
  case pushedAuthorization = "pushed_authorization_request_endpoint"
  /// RFC 8628 §4.
  case deviceAuthorization = "device_authorization_endpoint"
  /// OpenID Connect Core §5.3.
  case userInfo = "userinfo_endpoint"
  /// OpenID Connect RP-Initiated Logout §2.1.
  case endSession = "end_session_endpoint"
  /// RFC 7591 §3.
  case registration = "registration_endpoint"

  /// The key that writes it out in configuration, where keys are short.
  package var configurationKey: String {
    rawValue.replacing("pushed_authorization_request", with: "par").replacing("_", with: "-")
  }
}
