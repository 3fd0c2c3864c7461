extension Vault {
  /// Starts nothing more, answers who waits, and returns when nothing is under way: for a daemon that stops.
  ///
  /// What a courier still brings home stays in the journal for the next start.
  package func drain() async {
    isDraining = true
    let leaving = sessions.values.map { session in Task(executorPreference: tools.executor) { await session.drain() } }
    for session in leaving { await session.value }
    hub.closeAll()
  }
}

extension AccountSession {
  func drain() async {
    isStopping = true
    let stopping = VaultError.temporary(account: account.name, message: "the daemon is stopping", retryAfter: 1)
    for waiter in waiters.empty().values { waiter.continuation.resume(returning: .failure(stopping)) }
    pausing?.cancel()
    await task?.value
    storing?.cancel()
    await storing?.value
  }
}
