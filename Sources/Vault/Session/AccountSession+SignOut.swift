/// What sign-out could and could not do for one account.
package struct SignOutReport: Equatable, Sendable {
  /// What is left here.
  package enum Left: Equatable, Sendable {
    /// Everything was removed, and looked for again and not found.
    case nothing
    /// The keyring that is open had nothing to remove. Whether that was done before, or lies in another keyring, nobody can
    /// tell.
    case unfound
    /// What a locked store has; it is removed at the next unlock.
    case locked
    /// What could not be removed for another reason, which `note` says; it is tried again.
    case refused
  }

  package let account: String
  package let issuer: String
  /// Whether the issuer ended the session.
  package let isRevoked: Bool
  package let left: Left
  /// What a person should know of what is left, in words.
  package let note: String?

  package init(account: String, issuer: String, isRevoked: Bool, left: Left, note: String?) {
    self.account = account
    self.issuer = issuer
    self.isRevoked = isRevoked
    self.left = left
    self.note = note
  }

  /// Whether nothing is left here as far as can be seen.
  package var isWiped: Bool {
    switch left {
    case .nothing, .unfound: true
    case .locked, .refused: false
    }
  }

  static let unfound = "the keyring had nothing of this account: if it was kept in another keyring, it is still there"
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
    } else if let unchecked, case .holding(let held) = machine.state {
      farewell = unchecked.tokens
      leavingGeneration = held.number + 1
    } else if case .holding(let held) = machine.state {
      farewell = held.tokens(clock: tools.clock, scope: held.scope)
      leavingGeneration = held.number
    }
    machine.leave()
    let work = Task(executorPreference: tools.executor) { await self.leave() }
    leaving = work
    let report = await work.value
    // What could not be wiped is tried again.
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
    let (left, wipeNote) = await wipe()
    farewell = nil
    arriving = nil
    unstored = nil
    identity = nil
    journalKey = nil
    dpopKey = nil
    lastCheck = nil
    let note = [revokeNote, wipeNote].compactMap(\.self).joined(separator: "; ")
    return SignOutReport(
      account: account.name, issuer: account.issuer.identifier, isRevoked: isRevoked, left: left,
      note: note.isEmpty ? nil : note)
  }

  /// Removes item or file and journal, and looks again. Returns what is left, and what there is to say of it.
  private func wipe() async -> (SignOutReport.Left, String?) {
    do {
      let wasThere = try await store.remove(account)
      guard try await store.load(account) == nil else { return (.refused, "the store still has the tokens") }
      try await tools.journal.wipe(id)
      // A sealed file can lie nowhere else.
      return wasThere || account.backend == .sealedFile ? (.nothing, nil) : (.unfound, SignOutReport.unfound)
    } catch let error as StoreError {
      if case .locked = error { return (.locked, nil) }
      return (.refused, error.text)
    } catch let error as JournalError {
      return (.refused, error.text)
    } catch {
      return (.refused, "not everything could be removed")
    }
  }
}
