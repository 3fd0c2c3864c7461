package import Vault

/// Keeps the last good configuration: a file that breaks while the daemon runs changes nothing but what `status` says.
package struct ConfigurationKeeper: Sendable {
  /// What is in force.
  package private(set) var configuration: Configuration
  /// What is wrong with the files as they are now; empty when they are in force.
  package private(set) var problems: [ConfigurationProblem]

  /// What to do after a reload.
  package enum ReloadAction: Equatable, Sendable {
    /// The new one is in force: tell whoever uses it.
    case apply
    /// The files say what they said.
    case nothing
    /// The files are broken: the one in force stays. Report the problems.
    case keepOld
  }

  /// Starts with what there is: at the first load there is no last good one, and a broken file never stops the daemon.
  package init(_ first: LoadedConfiguration) {
    configuration = first.configuration
    problems = first.problems
  }

  /// The files were read again.
  package mutating func reloaded(_ loaded: LoadedConfiguration) -> ReloadAction {
    problems = loaded.problems
    guard loaded.problems.isEmpty else { return .keepOld }
    guard loaded.configuration != configuration else { return .nothing }
    configuration = loaded.configuration
    return .apply
  }

  /// Settles what a sign-in is for, by what is in force. Where it is not said because the files are not sound, throws
  /// ``VaultError/misconfigured(account:message:)`` with what is wrong, that of the group that was named first.
  package func plan(_ wish: SignInWish, existing: Account?) throws(VaultError) -> SignInPlan {
    do throws(VaultError) {
      return try configuration.plan(wish, existing: existing)
    } catch {
      guard case .badRequest(field: "issuer", _) = error, wish.issuer?.contains("://") != true, !problems.isEmpty else {
        throw error
      }
      throw .misconfigured(account: nil, message: "the configuration is not sound: \(told(of: wish))")
    }
  }

  /// So many problems are told in an error.
  private static let most = 4

  private func told(of wish: SignInWish) -> String {
    let named = [GroupName(kind: "account", label: wish.account), GroupName(kind: "issuer", label: wish.issuer)]
    let isMeant = { (problem: ConfigurationProblem) in problem.group.map(named.contains) ?? false }
    let sorted = problems.filter(isMeant) + problems.filter { !isMeant($0) }
    let rest = sorted.count > Self.most ? "; and \(sorted.count - Self.most) more" : ""
    return sorted.prefix(Self.most).map(\.description).joined(separator: "; ") + rest
  }
}
