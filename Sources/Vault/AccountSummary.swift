import Time

/// What `list` and `status` show of one account.
package struct AccountSummary: Equatable, Sendable {
  package enum State: String, Sendable {
    case signedIn = "signed-in"
    case refreshing
    case signInRequired = "sign-in-required"
    case locked
    case unavailable
    case signingOut = "signing-out"
  }

  package let account: Account
  package let state: State
  /// Why, in words, when there is something to say.
  package let detail: String?
  /// Whole seconds of life left; nil when no token is in memory.
  package let expiresIn: Int?
  package let generation: UInt64?
  /// False when the issuer granted no refresh token.
  package let renews: Bool
}

extension AccountSummary {
  /// An account that nobody asked for yet: nothing of it was read.
  init(unused account: Account, _ override: State?) {
    self.init(
      account: account, state: override ?? .signedIn, detail: nil, expiresIn: nil, generation: nil, renews: true)
  }
}

extension AccountSession {
  /// How the account is. `override` is what holds for all accounts, if something does.
  package func summary(_ override: AccountSummary.State? = nil) -> AccountSummary {
    let (state, detail) = override.map { ($0, nil) } ?? described()
    var expiresIn: Int?
    var generation: UInt64?
    var renews = true
    if case .holding(let held) = machine.state {
      expiresIn = Int(held.lifeLeft(at: tools.clock.now).wholeSeconds)
      generation = held.number
      renews = held.refreshToken != nil
    }
    return AccountSummary(
      account: account, state: state, detail: detail, expiresIn: expiresIn, generation: generation, renews: renews)
  }

  private func described() -> (AccountSummary.State, String?) {
    switch machine.state {
    case .unloaded: return (store.isKnownLocked ? .locked : .signedIn, nil)
    case .dead(let reason): return (.signInRequired, reason.rawValue)
    case .gone: return (.signingOut, nil)
    case .barred(let bar):
      switch bar {
      case .locked: return (.locked, nil)
      case .unavailable(let what), .storage(let what): return (.unavailable, what)
      case .flying: return (.refreshing, "an earlier request is still under way")
      case .signIn(let reason): return (.signInRequired, reason.rawValue)
      }
    case .holding(let generation):
      if let storeTrouble { return (.signedIn, "the newest tokens are only in the journal yet: \(storeTrouble)") }
      if generation.refreshToken == nil { return (.signedIn, "will not renew: the issuer granted no refresh token") }
      let isRefreshing = machine.work?.isRotation == true || machine.work == .resolve
      return (isRefreshing ? .refreshing : .signedIn, machine.troubleText)
    }
  }
}
