package import Secrets
import Time

/// How long locking waits for refreshes that are on their way.
enum LockPatience {
  /// What lands later stays in the journal until the next loading, and what flies is forgotten when it has landed.
  static let flights = SignOutPatience.settling
}

extension Vault {
  /// Forgets access tokens, store keys and passphrases. No account waits for the flight of another, and nobody for one that
  /// takes longer than ``LockPatience``.
  package func lock() async {
    isLocked = true
    monitoring.forgetAll()
    let forgetting = sessions.values.map { session in
      Task(executorPreference: tools.executor) { await session.forget() }
    }
    let deadline = tools.clock.now + LockPatience.flights
    for task in forgetting { _ = await tools.outcome(of: task, until: deadline) }
    for store in tools.stores.values { await store.forget() }
    hub.publish(VaultEvent(.locked, account: nil))
  }

  /// Asks the stores that are in use to open: the keyring by its own prompt, the sealed file by `passphrase`, which opens
  /// that store alone, even before the first account is in it. One that is open has nothing to ask.
  package func unlock(_ selector: String?, passphrase: SecretBox?) async throws(VaultError) {
    let wanted: [StoreBackend]
    if let selector {
      wanted = [try account(selector).backend]
    } else {
      let used = Set(entries.map(\.account.backend))
      let asked = passphrase != nil ? [.sealedFile] : used.isEmpty ? [.secretService] : used
      wanted = StoreBackend.allCases.filter { asked.contains($0) }
    }
    for backend in wanted {
      guard let store = tools.stores[backend] else { continue }
      do {
        try await open(store, passphrase: backend == .sealedFile ? passphrase : nil)
        tellOpened(backend)
      } catch {
        // Nothing of ours is in a store that no account uses. Whoever brings a passphrase wants to know about it.
        if selector == nil, passphrase == nil, entries.isEmpty { continue }
        throw Self.error(error, account: selector)
      }
    }
    isLocked = false
    hub.publish(VaultEvent(.unlocked, account: nil))
    Task(executorPreference: tools.executor) { await self.resume() }
  }

  private func tellOpened(_ backend: StoreBackend) {
    for session in sessions.values { session.assumeIsolated { $0.storeOpened(backend) } }
  }

  static func error(_ error: StoreError, account: String?) -> VaultError {
    switch error {
    case .locked: .locked(account: account)
    case .wrongPassphrase: .denied(account: account, message: "the passphrase is wrong")
    case .dismissed: .denied(account: account, message: "the prompt was dismissed")
    case .unavailable(let what): .temporary(account: account, message: what, retryAfter: 5)
    case .storage(let what), .untrusted(let what), .damaged(let what): .storage(account: account, message: what)
    }
  }
}

extension AccountSession {
  /// A store of this kind was opened: the account is no longer shown as locked.
  func storeOpened(_ backend: StoreBackend) {
    if account.backend == backend { machine.unbar() }
  }

  /// Forgets what was loaded, once no flight of it is under way.
  ///
  /// It waits neither for a fate to become known nor for a store that refuses: intent and pad are in the journal, and
  /// the next loading goes on from there.
  func forget() async {
    if let forgetting { return await forgetting.value }
    let work = Task(executorPreference: tools.executor) { await self.forgetLanded() }
    forgetting = work
    await work.value
  }

  private func forgetLanded() async {
    pausing?.cancel()
    while let task { await task.value }
    storing?.cancel()
    await storing?.value
    machine.forget()
    unresolved = nil
    unstored = nil
    storeTrouble = nil
    unsettled = nil
    unchecked = nil
    journalKey = nil
    dpopKey = nil
    identity = nil
    lastCheck = nil
    forgetting = nil
  }
}
