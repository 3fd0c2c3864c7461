package import Vault

/// What configuration has to know of a kind of issuer. A new kind is one line in ``all``.
package struct IssuerKindRule: Sendable {
  /// The value of `kind=`.
  package let name: String
  /// Whether it is found by a bare `origin=` or a `publishable-key=`, or by an `issuer=` that may have a path.
  let isOrigin: Bool
  /// What is known of its refresh-token rotation, before the configuration says more.
  package let rotation: RotationPolicy

  package static let all = [
    Self(name: "didit", isOrigin: true, rotation: .didit),
    Self(name: "openid", isOrigin: false, rotation: .unknown),
    Self(name: "oauth", isOrigin: false, rotation: .unknown),
  ]

  /// Kinds that people may look for and that are not to be had; the words complete "must be …".
  static let unavailable = [
    "didit-native": "didit, the hosted sign-in: the vendor's native authentication SDK is not published"
  ]

  package static func named(_ name: String) -> Self? { all.first { $0.name == name } }
}

extension ValueRule where Value == IssuerKindRule {
  static let kind = Self(
    expectation: IssuerKindRule.all.map(\.name).joined(separator: " or "), read: IssuerKindRule.named,
    known: IssuerKindRule.unavailable)
}
