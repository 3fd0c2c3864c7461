import Secrets
import Time

extension Vault {
  /// Opens a store with a passphrase. Tries take turns, and each wrong one is answered later than the one before, whoever
  /// makes it: 1, 2, 4 … 60 seconds. The right one makes the next wrong one cheap again.
  func open(_ store: any CredentialStore, passphrase: SecretBox?) async throws(StoreError) {
    guard let passphrase else { return try await store.unlock(passphrase: nil) }
    let before = passphraseTry
    let work = Task(executorPreference: tools.executor) { () -> StoreError? in
      _ = await before?.value
      return await self.attempt(store, passphrase)
    }
    passphraseTry = work
    if let error = await work.value { throw error }
  }

  private func attempt(_ store: any CredentialStore, _ passphrase: SecretBox) async -> StoreError? {
    do throws(StoreError) {
      try await store.unlock(passphrase: passphrase)
      wrongPassphrases.succeeded()
      return nil
    } catch {
      guard case .wrongPassphrase = error else { return error }
      wrongPassphrases.failed(at: tools.clock.now, retryAfter: nil, jitter: 0)
      await pauseAfterWrongPassphrase()
      return error
    }
  }

  private func pauseAfterWrongPassphrase() async {
    guard let answerAt = wrongPassphrases.notBefore else { return }
    // Nobody cancels a try: who went away would otherwise try faster.
    do { try await tools.clock.sleep(until: answerAt) } catch { return }
  }
}
