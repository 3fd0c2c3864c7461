package import Secrets
package import Time

/// Everything that one token response granted. All of it belongs to one generation and is replaced together.
package struct TokenSet: Sendable {
  package let accessToken: SecretBox
  /// Nil when the issuer granted none: such an account will not renew.
  package let refreshToken: SecretBox?
  package let idToken: SecretBox?
  /// `token_type` (RFC 6749 §7.1) as sent; `Bearer` when it was absent.
  package let tokenType: String
  /// `scope` (RFC 6749 §3.3) as granted; nil when the response did not say.
  package let scope: String?
  /// `expires_in` (RFC 6749 §5.1), or what the issuer's kind assumes without it.
  package let lifetime: Duration
  /// When the response came. `receivedAt` counts only in the boot `receivedBoot`; after a reboot `receivedWall` does.
  package let receivedAt: BootInstant
  package let receivedBoot: BootID
  package let receivedWall: WallInstant
  /// Whether the response had a `scope` that is none, so that ``scope`` is what it was before. Not stored.
  package var isScopeUnreadable = false

  package init(
    accessToken: SecretBox, refreshToken: SecretBox?, idToken: SecretBox?, tokenType: String, scope: String?,
    lifetime: Duration, receivedAt: BootInstant, receivedBoot: BootID, receivedWall: WallInstant
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.tokenType = tokenType
    self.scope = scope
    self.lifetime = lifetime
    self.receivedAt = receivedAt
    self.receivedBoot = receivedBoot
    self.receivedWall = receivedWall
  }
}
