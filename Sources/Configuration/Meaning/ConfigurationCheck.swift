import Vault

/// What `almonerd --check-config` prints. Pure.
package struct ConfigurationCheck: Sendable {
  package let isSound: Bool
  /// Lines, each ended by a line feed: the problems, or what is configured.
  package let report: String

  package init(_ loaded: LoadedConfiguration) {
    isSound = loaded.problems.isEmpty
    let lines = isSound ? Self.summary(of: loaded) : Self.faults(of: loaded)
    report = lines.map { $0 + "\n" }.joined()
  }

  private static func faults(of loaded: LoadedConfiguration) -> [String] {
    let count = loaded.problems.count
    return loaded.problems.map(\.description) + [
      "\(count) \(count == 1 ? "problem" : "problems"). A running daemon goes on with the last configuration without any."
    ]
  }

  private static func summary(of loaded: LoadedConfiguration) -> [String] {
    let configuration = loaded.configuration
    let files =
      loaded.files.isEmpty ? ["No configuration file. What is built in holds."] : loaded.files.map { "Read \($0)." }
    let issuers = configuration.issuers.sorted { $0.key < $1.key }.map { name, issuer in
      "Issuer \(name): \(issuer.profile.kind), \(issuer.profile.environment.rawValue), \(issuer.profile.identifier)."
    }
    let accounts = configuration.accounts.values.sorted { $0.name < $1.name }.map {
      "Account \($0.name): issuer \($0.issuer), store \($0.backend.rawValue)."
    }
    let names = configuration.presets.keys.sorted().joined(separator: ", ")
    let presets = names.isEmpty ? [] : ["Presets: \(names)."]
    return files + issuers + presets + accounts + [
      "New accounts: store \(configuration.store.backend.rawValue).", "The configuration is sound.",
    ]
  }
}
