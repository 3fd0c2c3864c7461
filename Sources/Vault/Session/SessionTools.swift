package import Time

/// What all sessions work with. All of it comes from outside, so that a test can bring its own.
package final class SessionTools: Sendable {
  package let clock: any Clock
  package let carrier: any Carrier
  package let journal: any RotationJournal
  package let budgets = SessionBudgets()
  package let stores: [StoreBackend: any CredentialStore]
  package let directory: any AccountDirectory
  /// Makes the adapter for a profile; the registry of `Issuers` in the daemon.
  package let makeIssuer: @Sendable (IssuerProfile) throws(IssuerError) -> any Issuer
  /// `/etc/machine-id`, and our uid: what records and journals are bound to.
  package let machine: String
  package let user: UInt32
  /// The executor of every actor here: the loop.
  package let executor: any SerialExecutor & TaskExecutor
  /// Told of each step of a rotation as it begins. Nothing in ordinary builds; the crash tests watch by it.
  package let onStep: @Sendable (RotationStep) -> Void

  package init(
    clock: any Clock, carrier: any Carrier, journal: any RotationJournal,
    stores: [StoreBackend: any CredentialStore], directory: any AccountDirectory,
    makeIssuer: @escaping @Sendable (IssuerProfile) throws(IssuerError) -> any Issuer, machine: String, user: UInt32,
    executor: any SerialExecutor & TaskExecutor, onStep: @escaping @Sendable (RotationStep) -> Void = { _ in }
  ) {
    self.clock = clock
    self.carrier = carrier
    self.journal = journal
    self.stores = stores
    self.directory = directory
    self.makeIssuer = makeIssuer
    self.machine = machine
    self.user = user
    self.executor = executor
    self.onStep = onStep
  }
}

/// The steps of a rotation, named as in the design.
package enum RotationStep: UInt8, CaseIterable, Sendable {
  case idle = 0
  /// The one refresh of all who ask begins.
  case r0
  /// Preconditions.
  case r1
  /// The courier boards.
  case r2
  /// The intent is written.
  case r3
  /// The request is on its way.
  case r4
  /// The new generation is stored.
  case r5
  /// It is checked and published.
  case r6
  /// The old generation is wiped.
  case r7
}
