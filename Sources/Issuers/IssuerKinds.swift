package import Exchange
package import Time
package import Vault

/// Carries a request that changes nothing (metadata, keys): ``Vault/Carrier/exchange(_:)`` in the daemon.
package typealias Fetch = @Sendable (OutgoingRequest) async throws(CarrierError) -> HTTPAnswer

/// One kind of issuer: its name in configuration, and how its adapter is made.
package struct IssuerKind: Sendable {
  package let name: String
  let make: @Sendable (IssuerProfile, @escaping Fetch, any Clock) throws(IssuerError) -> any Issuer
}

/// Every kind of issuer that there is. A new kind is a new conforming type and one line here.
package enum IssuerKinds {
  package static let all = [
    IssuerKind(name: "didit") { profile, fetch, clock throws(IssuerError) in
      try DiditIssuer(profile, fetch: fetch, clock: clock)
    },
    IssuerKind(name: "openid") { profile, fetch, clock throws(IssuerError) in
      try OpenIDIssuer(profile, fetch: fetch, clock: clock)
    },
    IssuerKind(name: "didit-native") { _, _, _ throws(IssuerError) in
      throw .configuration(
        "the vendor's native authentication SDK is not published; use kind=didit, the hosted sign-in")
    },
  ]

  /// Makes the adapter for a profile. Throws ``Vault/IssuerError/configuration(_:)`` for a kind that is not there or not
  /// to be had, and for what its adapter cannot work with.
  package static func make(
    _ profile: IssuerProfile, fetch: @escaping Fetch, clock: any Clock
  ) throws(IssuerError) -> any Issuer {
    guard let kind = all.first(where: { $0.name == profile.kind }) else {
      throw .configuration("there is no such kind of issuer; known are \(all.map(\.name).joined(separator: ", "))")
    }
    return try kind.make(profile, fetch, clock)
  }
}
