package import Associations
package import Configuration
package import Secrets
package import SignIn
package import Time
package import Vault

/// What the handlers work with.
package struct Services: Sendable {
  package let vault: Vault
  package let desk: SignInDesk
  package let associations: AssociationDesk
  package let stepUps: StepUpDesk
  package let clock: any Clock
  package let version: String
  /// Settles what a sign-in is for, by the configuration as it is now.
  package let plan: @Sendable (SignInWish, Account?) async throws(VaultError) -> SignInPlan
  /// Settles which client is registered where, by the configuration as it is now.
  package let planRegistration: @Sendable (RegistrationWish) async throws(VaultError) -> RegistrationPlan
  /// Registers a client at its issuer, with the initial access token if there is one.
  package let register: @Sendable (RegistrationPlan, SecretBox?) async throws(IssuerError) -> ClientRegistration
  /// The issuers of the configuration as it is now.
  package let configuredIssuers: @Sendable () async -> [ConfiguredIssuer]
  /// What `status` should say beside the accounts, in sentences.
  package let notes: @Sendable () async -> [String]
  /// Whether couriers confine themselves with all that the kernel could offer.
  package let isConfined: @Sendable () async -> Bool

  package init(
    vault: Vault, desk: SignInDesk, associations: AssociationDesk, clock: any Clock, version: String,
    plan: @escaping @Sendable (SignInWish, Account?) async throws(VaultError) -> SignInPlan,
    planRegistration: @escaping @Sendable (RegistrationWish) async throws(VaultError) -> RegistrationPlan,
    register: @escaping @Sendable (RegistrationPlan, SecretBox?) async throws(IssuerError) -> ClientRegistration,
    configuredIssuers: @escaping @Sendable () async -> [ConfiguredIssuer],
    notes: @escaping @Sendable () async -> [String], isConfined: @escaping @Sendable () async -> Bool
  ) {
    self.vault = vault
    self.desk = desk
    self.associations = associations
    stepUps = StepUpDesk(vault: vault)
    self.clock = clock
    self.version = version
    self.plan = plan
    self.planRegistration = planRegistration
    self.register = register
    self.configuredIssuers = configuredIssuers
    self.notes = notes
    self.isConfined = isConfined
  }
}
