package import Exchange
package import Secrets
package import Time
package import Vault

/// Carries a request that changes nothing (metadata, keys): ``Vault/Carrier/exchange(_:)`` in the daemon.
package typealias Fetch = @Sendable (OutgoingRequest) async throws(CarrierError) -> HTTPAnswer

/// Reads the secret of a client from the file that configuration names. Throws ``Vault/IssuerError/configuration(_:)`` when
/// the file is not there or not the person's alone.
package typealias ReadSecret = @Sendable (_ path: String) async throws(IssuerError) -> SecretBox

/// What adapters are given to work with.
package struct IssuerServices: Sendable {
  let fetch: Fetch
  let clock: any Clock
  let readSecret: ReadSecret

  package init(fetch: @escaping Fetch, clock: any Clock, readSecret: @escaping ReadSecret) {
    self.fetch = fetch
    self.clock = clock
    self.readSecret = readSecret
  }
}

/// One kind of issuer: its name in configuration, and how its adapter is made.
package struct IssuerKind: Sendable {
  package let name: String
  let make: @Sendable (IssuerProfile, IssuerServices) throws(IssuerError) -> any Issuer
}

/// Every kind of issuer that there is. A new kind is a new conforming type and one line here.
package enum IssuerKinds {
  package static let all = [
    IssuerKind(name: "didit") { profile, services throws(IssuerError) in
      try DiditIssuer(profile, fetch: services.fetch, clock: services.clock)
    },
    IssuerKind(name: "openid") { profile, services throws(IssuerError) in
      try OpenIDIssuer(profile, services)
    },
    IssuerKind(name: "oauth") { profile, services throws(IssuerError) in
      try OAuthIssuer(profile, services)
    },
    IssuerKind(name: "didit-native") { _, _ throws(IssuerError) in
      throw .configuration(
        "the vendor's native authentication SDK is not published; use kind=didit, the hosted sign-in")
    },
  ]

  /// Makes the adapter for a profile. Throws ``Vault/IssuerError/configuration(_:)`` for a kind that is not there or not
  /// to be had, and for what its adapter cannot work with.
  package static func make(
    _ profile: IssuerProfile, _ services: IssuerServices
  ) throws(IssuerError) -> any Issuer {
    guard let kind = all.first(where: { $0.name == profile.kind }) else {
      throw .configuration("there is no such kind of issuer; known are \(all.map(\.name).joined(separator: ", "))")
    }
    return try kind.make(profile, services)
  }
}
