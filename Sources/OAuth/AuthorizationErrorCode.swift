import Secrets

/// `error` of an authorization response (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). The wire's text is not kept:
/// whoever can send a browser here chose it.
package enum AuthorizationErrorCode: String, CaseIterable, Sendable {
  case accessDenied = "access_denied"
  case invalidRequest = "invalid_request"
  case unauthorizedClient = "unauthorized_client"
  case unsupportedResponseType = "unsupported_response_type"
  case invalidScope = "invalid_scope"
  case serverError = "server_error"
  case temporarilyUnavailable = "temporarily_unavailable"
  case interactionRequired = "interaction_required"
  case loginRequired = "login_required"
  case accountSelectionRequired = "account_selection_required"
  case consentRequired = "consent_required"
  /// Any other.
  case other

  init(_ value: SecretBox) {
    let longest = 64
    let text = value.count > longest ? "" : unsafe value.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    self = Self(rawValue: text) ?? .other
  }

  /// Whether the person, or the issuer for them, said no.
  package var isDenial: Bool { self == .accessDenied }

  /// Whether the same attempt may work later.
  package var isTemporary: Bool { self == .serverError || self == .temporarilyUnavailable }
}
