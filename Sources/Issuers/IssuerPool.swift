import Synchronization
package import Vault

/// The adapters in use, one a profile, so that accounts of one issuer share its metadata and keys.
package final class IssuerPool: Sendable {
  /// The most adapters that are kept; beyond it a new one is made each time.
  static let capacity = 64

  private let services: IssuerServices
  private let issuers = Mutex<[any Issuer]>([])

  package init(_ services: IssuerServices) { self.services = services }

  /// The adapter for a profile. Throws what ``IssuerKinds/make(_:_:)`` throws.
  package func issuer(for profile: IssuerProfile) throws(IssuerError) -> any Issuer {
    if let known = issuers.withLock({ $0.first { $0.profile == profile } }) { return known }
    let made = try IssuerKinds.make(profile, services)
    issuers.withLock { if $0.count < Self.capacity { $0.append(made) } }
    return made
  }
}
