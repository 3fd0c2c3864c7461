import Vault

extension IssuerProfile {
  /// Whether it is said how the client's secret is sent, and not where the secret is.
  var lacksSecret: Bool { options.clientAuthentication != .auto && options.clientSecretFile == nil }
}

extension ConfiguredIssuer {
  /// Refuses an issuer for which no client is named: nobody can sign in before somebody registered one.
  ///
  /// Throws ``VaultError/badRequest(field:message:)`` with what to write where, and where to get it.
  func requireClient(_ clientID: String?) throws(VaultError) {
    guard profile.kind != "didit" else { return }
    let keys =
      (clientID == nil ? [IssuerKey.clientID.rawValue] : [])
      + (profile.lacksSecret ? [IssuerOptionKey.clientSecretFile.rawValue] : [])
    guard !keys.isEmpty else { return }
    let missing = keys.map { "\($0)=" }.joined(separator: " and ")
    let place = registerAt.map { " at \($0)" } ?? ""
    throw .badRequest(
      field: "clientId",
      message: "register a client of your own\(place), and write \(missing) under [issuer \(profile.name)] in "
        + "~/.config/almoner/almoner.conf; see almoner.conf(5)")
  }
}
