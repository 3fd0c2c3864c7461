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

  /// Tokens first. The session of the browser is another thing: where it could not be ended, no token lives on for it.
  private func revoke() async -> Ending {
    let ending = await revokeTokens()
    switch await endBrowserSession() {
    case .nothingToEnd: return ending
    case .ended: return ending.note == Self.nothingToEnd ? (false, Self.onlyLoggedOut) : ending
    case .failed(let why):
      let left = "the browser's session at the issuer was not ended: \(why)"
      return (ending.isRevoked, [ending.note, left].compactMap(\.self).joined(separator: "; "))
    }
  }

  private static let nothingToEnd = "the issuer offers no way to end a session"
  private static let onlyLoggedOut =
    "logged out at the issuer, which takes no tokens back: they end with its session, or by themselves"

  private enum BrowserSession {
    case nothingToEnd
    case ended
    case failed(String)
  }

  /// Ends the session that the person's browser has at the issuer. The ID token that names it is only in the store.
  private func endBrowserSession() async -> BrowserSession {
    do {
      guard let record = await peekRecord(), record.machine == tools.machine, record.user == tools.user,
        let tokens = record.tokens, let request = try await issuer().logoutRequest(tokens)
      else { return .nothingToEnd }
      let status = try await tools.carrier.exchange(request).status
      return (200..<400).contains(status) ? .ended : .failed("status \(status)")
    } catch let error as CarrierError {
      return .failed(error.text)
    } catch {
      return .failed("the issuer could not be asked")
    }
  }

  /// A refresh that is still on its way may bring newer tokens; until it has ended, the session is not called ended.
  private func revokeTokens() async -> Ending {
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
    case .ended(let note): return (true, note)
    case .nothingToEnd: return (false, Self.nothingToEnd)
    case .failed(let why): return (false, "the session at the issuer was not ended: \(why)")
    case .needsRefresh: break
    }
    guard mayRefresh else { return (false, "the session at the issuer was not ended") }
    switch await refreshForSignOut(tokens) {
    case .refreshed(let fresh):
      if case .ended(let note) = await end(fresh) { return (true, note) }
      return (false, "the session at the issuer was not ended")
    case .isOver: return (true, "the session had ended at the issuer before")
    case .failed: return (false, "the session at the issuer was not ended: no valid token for it")
    }
  }

  // MARK: Requests

  private enum EndSession {
    /// Over; the text says what a person should know all the same.
    case ended(String?)
    case nothingToEnd
    case needsRefresh
    case failed(String)
  }

  private func end(_ tokens: TokenSet) async -> EndSession {
    do {
      let requests = try await issuer().endSessionRequests(tokens)
      if requests.isEmpty { return .nothingToEnd }
      for (index, request) in requests.enumerated() {
        let status = try await tools.carrier.exchange(request).status
        // With the refresh token the grant is gone. Some issuers then know the access token no more, others never take
        // one back (RFC 7009 §2.2.1).
        if index > 0, status == 400 {
          return .ended("the issuer did not take back the access token, which is dead or runs out by itself")
        }
        // A fresher access token helps where one was shown. Elsewhere it is the client that was refused (RFC 7009 §2.2.1),
        // and another refresh token would only outlive this account.
        if status == 401, request.bearer != nil { return .needsRefresh }
        guard (200..<300).contains(status) else { return .failed("status \(status)") }
      }
      return .ended(nil)
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
      let request = try await refreshRequest(token)
      let hash = KeyedHash.digest(token.secret, key: key.secret)
      let end = await tools.fly(
        request, generation: leavingGeneration, hash: hash, read: readFlight, journalContext(key)
      ) { Task.isCancelled }
      let answer: HTTPAnswer
      switch end {
      case .landed(let landed, _), .found(let landed, _): answer = landed
      case .notSent, .storage, .unknown: return .failed
      }
      switch try issuer().read(answer, previous: tokens) {
      case .granted(let fresh): return .refreshed(fresh)
      case .dead: return .isOver
      case .misconfigured, .declined, .challenged, .unknown: return .failed
      }
    } catch {
      return .failed
    }
  }
}

extension SessionTools {
  /// What `work` comes to, or nil when `deadline` comes first. The work goes on.
  func outcome<Value: Sendable>(of work: Task<Value, Never>, until deadline: BootInstant) async -> Value? {
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
