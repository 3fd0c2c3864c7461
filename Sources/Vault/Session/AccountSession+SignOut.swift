import Exchange
import Secrets
import Sodium
import Time

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
  /// Ends the session at the issuer and removes everything here. The wipe happens even when the issuer is away.
  ///
  /// The caller has made the mark *signing out* durable before; it removes it when the report says wiped.
  package func signOut() async -> SignOutReport {
    if let leaving { return await leaving.value }
    if case .holding(let held) = machine.state {
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
    for waiter in waiters.empty().values {
      waiter.continuation.resume(returning: .failure(.unknownAccount(account.name)))
    }
    pausing?.cancel()
    await task?.value
    storing?.cancel()
    await storing?.value
    let (isRevoked, revokeNote) = await revoke()
    let wipeNote = await wipe()
    farewell = nil
    unstored = nil
    identity = nil
    journalKey = nil
    lastCheck = nil
    let note = [revokeNote, wipeNote].compactMap(\.self).joined(separator: "; ")
    return SignOutReport(
      account: account.name, issuer: account.issuer.identifier, isRevoked: isRevoked, isWiped: wipeNote == nil,
      note: note.isEmpty ? nil : note)
  }

  // MARK: At the issuer

  private func revoke() async -> (isRevoked: Bool, note: String?) {
    guard let tokens = await lastTokens() else {
      return (false, "the tokens could not be read, so the session at the issuer was not ended")
    }
    switch await endSession(tokens) {
    case .ended: return (true, nil)
    case .nothingToEnd: return (false, "the issuer offers no way to end a session")
    case .failed(let why): return (false, "the session at the issuer was not ended: \(why)")
    case .needsRefresh:
      switch await refreshForSignOut(tokens) {
      case .refreshed(let fresh):
        if case .ended = await endSession(fresh) { return (true, nil) }
        return (false, "the session at the issuer was not ended")
      case .isOver: return (true, "the session had ended at the issuer before")
      case .failed: return (false, "the session at the issuer was not ended: no valid token for it")
      }
    }
  }

  private func lastTokens() async -> TokenSet? {
    if let farewell { return farewell }
    if let tokens = unstored?.tokens { return tokens }
    do {
      guard let bytes = try await store.load(account) else { return nil }
      let record = try RecordCodec.decode(bytes)
      journalKey = record.journalKey
      leavingGeneration = record.generation
      return record.tokens
    } catch {
      return nil
    }
  }

  private enum EndSession {
    case ended
    case nothingToEnd
    case needsRefresh
    case failed(String)
  }

  private func endSession(_ tokens: TokenSet) async -> EndSession {
    do {
      let requests = try await issuer().endSessionRequests(tokens)
      if requests.isEmpty { return .nothingToEnd }
      for request in requests {
        let status = try await tools.carrier.exchange(request).status
        if status == 401 { return .needsRefresh }
        guard (200..<300).contains(status) else { return .failed("status \(status)") }
      }
      return .ended
    } catch let error as CarrierError {
      return .failed(error.text)
    } catch {
      return .failed("the issuer could not be asked")
    }
  }

  private enum LastRefresh {
    case refreshed(TokenSet)
    /// The issuer says that the refresh token is dead, and so the session.
    case isOver
    case failed
  }

  /// A 401 means that the session did not end: refresh, then ask again.
  private func refreshForSignOut(_ tokens: TokenSet) async -> LastRefresh {
    guard let token = tokens.refreshToken, let key = journalKey else { return .failed }
    do {
      let request = try await issuer().refreshRequest(refreshToken: token)
      let hash = KeyedHash.digest(token.secret, key: key.secret)
      let end = await tools.fly(request, generation: leavingGeneration, hash: hash, journalContext(key))
      guard case .landed(let answer, _) = end else { return .failed }
      switch try issuer().read(answer, previous: tokens) {
      case .granted(let fresh): return .refreshed(fresh)
      case .dead: return .isOver
      case .misconfigured, .declined, .unknown: return .failed
      }
    } catch {
      return .failed
    }
  }

  // MARK: Here

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
