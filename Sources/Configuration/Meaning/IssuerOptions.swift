import Exchange
import Vault

/// An issuer that is not configured but named in full at a sign-in (`almoner login --issuer URL …`). Checked by the same
/// rules as the configuration.
package struct IssuerOptions: Equatable, Sendable {
  package var kind: String
  /// Didit's origin or the issuer identifier; may be nil where a publishable key says it.
  package var address: String?
  package var publishableKey: String?
  package var clientID: String?
  package var redirectURI: String?
  package var scopes: [String]

  package init(
    kind: String, address: String? = nil, publishableKey: String? = nil, clientID: String? = nil,
    redirectURI: String? = nil, scopes: [String] = []
  ) {
    self.kind = kind
    self.address = address
    self.publishableKey = publishableKey
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scopes = scopes
  }

  /// The issuer they describe, named by its host. Throws ``OptionRefusal`` for the first option that cannot be right.
  package func issuer() throws(OptionRefusal) -> NamedIssuer {
    let kind = try Self.read("--kind", self.kind, .kind)
    let address = try address(of: kind)
    let profile = IssuerProfile(
      name: address.authority, kind: kind.name, identifier: address.identifier, environment: address.environment,
      clientID: try clientID.map { text throws(OptionRefusal) in try Self.read("--client-id", text, .clientID) },
      egress: EgressPolicy(plainLoopback: address.isPlain), rotation: kind.rotation)
    let redirect = try redirectURI.map { text throws(OptionRefusal) in
      try Self.read("--redirect-uri", text, .redirectURI)
    }
    let scopes = try Self.read("--scope", scopes.joined(separator: " "), .scopes)
    return NamedIssuer(
      issuer: ConfiguredIssuer(profile: profile, redirectURI: redirect, scopes: scopes),
      needsConfirmation: !address.isUsual)
  }

  private func address(of kind: IssuerKindRule) throws(OptionRefusal) -> IssuerAddress {
    if let publishableKey {
      let rule = ValueRule.publishableKey
      guard kind.isOrigin else { throw OptionRefusal("--publishable-key", "left out with --kind \(kind.name)") }
      let named = try Self.read("--publishable-key", publishableKey, rule)
      let written = try address.map { text throws(OptionRefusal) in try Self.read("--issuer", text, .origin) }
      guard written.map({ $0.identifier == named.identifier }) ?? true else {
        throw OptionRefusal("--publishable-key", "that of the same origin as --issuer")
      }
      return named
    }
    guard let address else { throw OptionRefusal("--issuer", "given") }
    return try Self.read("--issuer", address, kind.isOrigin ? .origin : .issuer)
  }

  private static func read<Value>(
    _ option: String, _ text: String, _ rule: ValueRule<Value>
  ) throws(OptionRefusal) -> Value {
    guard let value = rule.read(text) else { throw OptionRefusal(option, rule.expectation) }
    return value
  }
}

/// What ``IssuerOptions`` describe.
package struct NamedIssuer: Equatable, Sendable {
  package let issuer: ConfiguredIssuer
  /// A publishable key names a host that is not the vendor's: show it, and send nothing there before a person agreed.
  package let needsConfirmation: Bool
}

/// An option that cannot be right. Does not repeat what was given.
package struct OptionRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  package let option: String
  package let expectation: String

  init(_ option: String, _ expectation: String) {
    self.option = option
    self.expectation = expectation
  }

  package var description: String { "\(option) must be \(expectation)" }
}
