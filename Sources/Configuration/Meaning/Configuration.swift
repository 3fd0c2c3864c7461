package import Vault

/// Everything that the configuration files say, checked and ready for use. Holds no secret.
package struct Configuration: Equatable, Sendable {
  /// By the name in `[issuer NAME]`.
  package var issuers: [String: ConfiguredIssuer] = [:]
  /// Issuers that come with Almoner and that no configuration file names, by name.
  package var presets: [String: ConfiguredIssuer] = [:]
  /// By the name in `[account NAME]`.
  package var accounts: [String: ConfiguredAccount] = [:]
  package var refresh = RefreshSettings()
  package var store = StoreSettings()

  /// What holds without any file.
  package static let standard = Self()

  package init() {}

  /// The issuer of a name: configured, or a preset.
  func issuer(named name: String) -> ConfiguredIssuer? { issuers[name] ?? presets[name] }
}

/// `[issuer NAME]`: an issuer, and what a sign-in at it uses unless told otherwise.
package struct ConfiguredIssuer: Equatable, Sendable {
  package let profile: IssuerProfile
  /// `redirect-uri`, exactly as registered.
  package let redirectURI: String?
  /// `scopes`; empty when the kind's own choice is meant.
  package let scopes: [String]
  /// `register-at`: the page on which a person registers a client of their own.
  package let registerAt: String?
}

/// `[account NAME]`: an account that may be signed in by its name alone.
package struct ConfiguredAccount: Equatable, Sendable {
  package let name: String
  /// The name of a configured issuer.
  package let issuer: String
  package let backend: StoreBackend
}

/// `[refresh]`.
package struct RefreshSettings: Equatable, Sendable {
  /// The least time between two forced refreshes of one account.
  package var forceInterval: Duration = .seconds(30)
}

/// `[store]`.
package struct StoreSettings: Equatable, Sendable {
  /// Where new accounts go that do not say.
  package var backend: StoreBackend = .secretService
  /// The file with the sealed file's key; nil when it is sealed under a passphrase.
  package var keyFile: String?
}
