/// What sign-out could and could not do for one account.
package struct SignOutReport: Equatable, Sendable {
  package let account: String
  package let issuer: String
  /// Whether the issuer ended the session.
  package let isRevoked: Bool
  /// Whether everything was removed here, and looked for again and not found.
  package let isWiped: Bool
  /// What a person should know of what is left, in words.
  package let note: String?

  package init(account: String, issuer: String, isRevoked: Bool, isWiped: Bool, note: String?) {
    self.account = account
    self.issuer = issuer
    self.isRevoked = isRevoked
    self.isWiped = isWiped
    self.note = note
  }
}

extension AccountSession {
  /// Ends the session at the issuer and removes everything here. The wipe happens even when the issuer is away, and
  /// waits for it no longer than ``SignOutPatience``.
  ///
  /// The caller has made the mark *signing out* durable before; it removes it when the report says wiped.
  package func signOut() async -> SignOutReport {
    if let leaving { return await leaving.value }
    if let arriving {
      farewell = arriving.tokens
      leavingGeneration = arriving.number
    } else if case .holding(let held) = machine.state {
      farewell = held.tokens(clock: tools.clock)
      leavingGeneration = held.number
    }
    machine.leave()
    let work = Task(executorPreference: tools.executor) { await self.leave() }
    leaving = work
    let report = await work.value
    // What could not be wiped is tried again at the next unlock.
    if !report.isWiped { leaving = nil }
    return report
  }

  private func leave() async -> SignOutReport {
    deadlineWatch?.cancel()
    for waiter in waiters.empty().values {
      waiter.continuation.resume(returning: .failure(.unknownAccount(account.name)))
    }
    pausing?.cancel()
    let (isRevoked, revokeNote) = await endSession()
    storing?.cancel()
    await storing?.value
    let wipeNote = await wipe()
    farewell = nil
    arriving = nil
    unstored = nil
    identity = nil
    journalKey = nil
    lastCheck = nil
    let note = [revokeNote, wipeNote].compactMap(\.self).joined(separator: "; ")
    return SignOutReport(
      account: account.name, issuer: account.issuer.identifier, isRevoked: isRevoked, isWiped: wipeNote == nil,
      note: note.isEmpty ? nil : note)
  }

  /// Removes item or file and journal, and looks again. Returns what is left, in words; nil when nothing is.
  private func wipe() async -> String? {
    do {
      try await store.remove(account)
      guard try await store.load(account) == nil else { return "the store still has the tokens" }
      try await tools.journal.wipe(id)
      return nil
    } catch let error as StoreError {
      if case .locked = error { return "the store is locked; the rest is removed at the next unlock" }
      return error.text
    } catch let error as JournalError {
      return error.text
    } catch {
      return "not everything could be removed"
    }
  }
}
