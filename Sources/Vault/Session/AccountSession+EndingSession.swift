import Exchange
import Secrets
import Sodium
import Time

/// How long a person who signs out waits for the issuer. When the time is over, what is here is wiped all the same.
enum SignOutPatience {
  /// For a refresh that is on its way: the tokens that it brings are those to be revoked.
  static let settling = Duration.seconds(3)
  /// For everything that the issuer has a part in, settling included.
  static let issuer = Duration.seconds(8)
}

/// What sign-out did at the issuer.
private typealias Ending = (isRevoked: Bool, note: String?)

extension AccountSession {
  /// Ends the session at the issuer, if that can be done in time. Afterwards nothing of this account is sent any more.
  func endSession() async -> (isRevoked: Bool, note: String?) {
    let began = tools.clock.now
    if let task { _ = await tools.outcome(of: task, until: began + SignOutPatience.settling) }
    let ending = Task(executorPreference: tools.executor) { await self.revoke() }
    if let done = await tools.outcome(of: ending, until: began + SignOutPatience.issuer) { return done }
    ending.cancel()
    task?.cancel()
    // Nothing is left for it to land in.
    await tools.carrier.recall(id)
    return (false, "the session at the issuer was not ended: the issuer did not answer in time")
  }

  /// A refresh that is still on its way may bring newer tokens; until it has ended, the session is not called ended.
  private func revoke() async -> Ending {
    let first = await revokeNewest(mayRefresh: task == nil)
    guard let task else { return first }
    let before = leavingGeneration
    await task.value
    if first.isRevoked, leavingGeneration == before { return first }
    return await revokeNewest(mayRefresh: true)
  }

  private func revokeNewest(mayRefresh: Bool) async -> Ending {
    let tokens: TokenSet
    switch await remains() {
    case .tokens(let found): tokens = found
    case .unreadable: return (false, "the tokens could not be read, so the session at the issuer was not ended")
    case .foreign: return (false, "the tokens were made for another machine or user, whose session was left alone")
    }
    switch await end(tokens) {
    case .ended: return (true, nil)
    case .nothingToEnd: return (false, "the issuer offers no way to end a session")
    case .failed(let why): return (false, "the session at the issuer was not ended: \(why)")
    case .needsRefresh: break
    }
    guard mayRefresh else { return (false, "the session at the issuer was not ended") }
    switch await refreshForSignOut(tokens) {
    case .refreshed(let fresh):
      if case .ended = await end(fresh) { return (true, nil) }
      return (false, "the session at the issuer was not ended")
    case .isOver: return (true, "the session had ended at the issuer before")
    case .failed: return (false, "the session at the issuer was not ended: no valid token for it")
    }
  }

  // MARK: Requests

  private enum EndSession {
    case ended
    case nothingToEnd
    case needsRefresh
    case failed(String)
  }

  private func end(_ tokens: TokenSet) async -> EndSession {
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

  /// Whether the token is not one that a lost answer may have spent: sent again that could end more than this session.
  private func maySend(_ token: SecretBox, _ key: SecretBox) async -> Bool {
    do {
      let reading = try await tools.journal.read(journalContext(key))
      let hash = KeyedHash.digest(token.secret, key: key.secret)
      switch StartUp.decide(reading, stored: leavingGeneration, hash: hash, boot: tools.clock.bootID) {
      case .current, .flying: return true
      case .redo: return reading.flight != readFlight || reading.flight == clearedFlight
      case .unknown, .rolledBack: return false
      }
    } catch {
      return false
    }
  }

  /// A 401 means that the session did not end: refresh, then ask again.
  private func refreshForSignOut(_ tokens: TokenSet) async -> LastRefresh {
    guard let token = tokens.refreshToken, let key = journalKey, await maySend(token, key) else { return .failed }
    do {
      let request = try await issuer().refreshRequest(refreshToken: token)
      let hash = KeyedHash.digest(token.secret, key: key.secret)
      let end = await tools.fly(
        request, generation: leavingGeneration, hash: hash, read: readFlight, journalContext(key)
      ) { Task.isCancelled }
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
}

extension SessionTools {
  /// What `work` comes to, or nil when `deadline` comes first. The work goes on.
  fileprivate func outcome<Value: Sendable>(of work: Task<Value, Never>, until deadline: BootInstant) async -> Value? {
    let (ends, end) = AsyncStream<Value?>.makeStream()
    Task(executorPreference: executor) { end.yield(await work.value) }
    let alarm = Task(executorPreference: executor) {
      do { try await self.clock.sleep(until: deadline) } catch { return }
      end.yield(nil)
    }
    defer { alarm.cancel() }
    for await outcome in ends { return outcome }
    return nil
  }
}
