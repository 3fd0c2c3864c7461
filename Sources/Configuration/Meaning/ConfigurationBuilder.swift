import Exchange
import Vault

/// Makes a ``Configuration`` of what was read. A group with a problem is left out whole: half an issuer, or one that lost
/// its proxy, is not what anybody asked for. Pure.
struct ConfigurationBuilder {
  private(set) var configuration = Configuration.standard
  private(set) var problems: [ConfigurationProblem] = []

  /// The groups that somebody wrote here; the others are presets.
  private let own: Set<GroupName>

  init(_ merged: MergedGroups, own: Set<GroupName>) {
    self.own = own
    for group in merged.readers(of: "store") { readStore(group) }
    for group in merged.readers(of: "refresh") { readRefresh(group) }
    for group in merged.readers(of: "issuer") { readIssuer(group) }
    for group in merged.readers(of: "account") { readAccount(group) }
  }

  private mutating func readStore(_ reader: GroupReader) {
    var group = reader
    let backend = group.value(StoreKey.backend, .choice) ?? StoreSettings().backend
    let keyFile = group.value(StoreKey.keyFile, .absolutePath)
    keep(group) { $0.store = StoreSettings(backend: backend, keyFile: keyFile) }
  }

  private mutating func readRefresh(_ reader: GroupReader) {
    var group = reader
    let interval = group.value(RefreshKey.forceInterval, .duration) ?? RefreshSettings().forceInterval
    keep(group) { $0.refresh = RefreshSettings(forceInterval: interval) }
  }

  private mutating func readIssuer(_ reader: GroupReader) {
    var group = reader
    let redirectURI = group.value(IssuerKey.redirectURI, .redirectURI)
    let scopes = group.value(IssuerKey.scopes, .scopes) ?? []
    let registerAt = group.value(IssuerKey.registerAt, .page)
    guard let name = group.name.label, let profile = Self.profile(named: name, &group) else {
      problems += group.problems
      return
    }
    let isOwn = own.contains(reader.name)
    if isOwn, profile.clientID != nil, profile.lacksSecret {
      group.refuse(IssuerOptionKey.clientSecretFile, .missingKey)
    }
    keep(group) {
      let issuer = ConfiguredIssuer(profile: profile, redirectURI: redirectURI, scopes: scopes, registerAt: registerAt)
      if isOwn { $0.issuers[name] = issuer } else { $0.presets[name] = issuer }
    }
  }

  private static func profile(named name: String, _ group: inout GroupReader) -> IssuerProfile? {
    let clientID = group.value(IssuerKey.clientID, .clientID)
    let caFile = group.value(IssuerKey.caFile, .absolutePath)
    let proxy = group.value(IssuerKey.proxy, .proxy)
    guard let kind = group.required(IssuerKey.kind, .kind), let address = address(of: kind, &group) else { return nil }
    let rotation = RotationKeys.read(
      from: &group, grace: IssuerKey.grace, oracle: .oracle, reuseBlast: .reuseBlast, over: kind.rotation)
    let options = IssuerOptions(from: &group, of: kind)
    return IssuerProfile(
      name: name, kind: kind.name, identifier: address.identifier, environment: address.environment, clientID: clientID,
      egress: EgressPolicy(caFile: caFile, proxy: proxy, plainLoopback: address.isPlain), rotation: rotation,
      options: options)
  }

  /// `issuer`, or for kinds that are found by their origin `origin` and `publishable-key`, either or both.
  private static func address(of kind: IssuerKindRule, _ group: inout GroupReader) -> IssuerAddress? {
    let foreign: [IssuerKey] = kind.isOrigin ? [.issuer] : [.origin, .publishableKey]
    for key in foreign where group.has(key) {
      group.refuse(key, .badValue("left out with kind=\(kind.name), which has \(kind.isOrigin ? "origin" : "issuer")="))
    }
    guard kind.isOrigin else { return group.required(IssuerKey.issuer, .issuer) }
    guard group.has(IssuerKey.publishableKey) else { return group.required(IssuerKey.origin, .origin) }
    let named = group.value(IssuerKey.publishableKey, .publishableKey)
    let written = group.value(IssuerKey.origin, .origin)
    // A custom domain is confirmed by writing it out; nobody reads base64.
    if let named, written?.identifier != named.identifier, written != nil || !named.isUsual {
      group.refuse(
        IssuerKey.publishableKey, .badValue("that of the same origin as origin=, which a custom domain needs"))
    }
    return named
  }

  private mutating func readAccount(_ reader: GroupReader) {
    var group = reader
    let backend = group.value(AccountKey.store, .choice) ?? configuration.store.backend
    let issuer = group.required(AccountKey.issuer, .accountName)
    if let issuer, configuration.issuer(named: issuer) == nil {
      group.refuse(AccountKey.issuer, .badValue("the NAME of a sound [issuer NAME]"))
    }
    keep(group) {
      guard let name = reader.name.label, let issuer else { return }
      $0.accounts[name] = ConfiguredAccount(name: name, issuer: issuer, backend: backend)
    }
  }

  /// Takes over what a group says, unless it has a problem.
  private mutating func keep(_ group: GroupReader, _ change: (inout Configuration) -> Void) {
    problems += group.problems
    if group.problems.isEmpty { change(&configuration) }
  }
}
