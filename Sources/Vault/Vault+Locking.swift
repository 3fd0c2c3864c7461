package import Secrets

extension Vault {
  /// Lets flights end, then forgets access tokens, store keys and passphrases.
  package func lock() async {
    isLocked = true
    monitoring.forgetAll()
    for session in sessions.values { await session.forget() }
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
    let wasDraining = isDraining
    isDraining = true
    pausing?.cancel()
    while let task { await task.value }
    storing?.cancel()
    await storing?.value
    isDraining = wasDraining
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
  }
}
