package import Secrets

/// A short-lived access token, as a caller gets it.
package struct AccessGrant: Sendable {
  package let account: String
  package let issuer: String
  package let accessToken: SecretBox
  /// `token_type` (RFC 6749 §7.1).
  package let tokenType: String
  package let scope: String?
  /// Whole seconds of life left, at least 0.
  package let expiresIn: Int
  package let generation: UInt64
  /// Whether it lives less long than was asked.
  package let isShorter: Bool
  /// Whether a refresh happened for this call or one that it joined.
  package let wasRefreshed: Bool
  /// Why a refresh that the caller forced did not happen; nil when it did, and when the last one is too recent.
  package var hindrance: VaultError?
}
