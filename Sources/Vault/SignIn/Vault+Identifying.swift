import Exchange
import Time

/// How long an issuer is asked again that cannot say now whose the first tokens are.
enum IdentifyingPatience {
  /// From one time to the next; longer than a failed fetch is remembered.
  static let pause = Duration.seconds(6)
  /// While somebody waits for the sign-in, counted from the first time.
  static let awaited = Duration.seconds(30)
  /// When nobody does any more, counted from the answer that brought the tokens.
  static let left = Duration.seconds(300)
}

extension Vault {
  /// Who signed in. Tokens that fail the check, or that nobody can check in time, are ended at the issuer and leave
  /// nothing; only a daemon that stops leaves them to its successor.
  func identify(_ newborn: Newborn) async throws(VaultError) -> VerifiedIdentity {
    let began = tools.clock.now
    while true {
      do throws(IssuerError) {
        return try await verify(newborn)
      } catch {
        switch after(error, newborn, since: began) {
        case .askAgain(let instant):
          do { try await tools.clock.sleep(until: instant) } catch { break }
        case .leave: throw Self.error(error, account: newborn.account.name)
        case .reject:
          await reject(newborn)
          throw Self.error(error, account: newborn.account.name)
        }
      }
    }
  }

  private func verify(_ newborn: Newborn) async throws(IssuerError) -> VerifiedIdentity {
    try await newborn.issuer.check(
      newborn.tokens, Expectation(nonce: newborn.nonce, subject: nil, dpopKey: newborn.dpopKey))
  }

  private enum AfterFailure {
    case askAgain(BootInstant)
    /// The same tokens are tried again later, by this daemon or the next.
    case leave
    case reject
  }

  private func after(_ error: IssuerError, _ newborn: Newborn, since began: BootInstant) -> AfterFailure {
    guard case .temporary = error else { return .reject }
    if isDraining { return .leave }
    guard newborn.isAwaited else {
      return newborn.age(tools.clock) < IdentifyingPatience.left ? .leave : .reject
    }
    let next = tools.clock.now + IdentifyingPatience.pause
    return next <= began + IdentifyingPatience.awaited ? .askAgain(next) : .reject
  }

  /// Ends the session of tokens that become no account, and forgets them.
  func reject(_ newborn: Newborn) async {
    await endSession(newborn.issuer, newborn.tokens)
    await discard(newborn.account)
  }

  /// Ends a session at the issuer, if that can be done in time. Best effort: its tokens are dropped here in any case.
  func endSession(_ issuer: any Issuer, _ tokens: TokenSet) async {
    let ending = Task(executorPreference: tools.executor) { await self.sendEnd(issuer, tokens) }
    let deadline = tools.clock.now + SignOutPatience.issuer
    if await tools.outcome(of: ending, until: deadline) == nil { ending.cancel() }
  }

  private func sendEnd(_ issuer: any Issuer, _ tokens: TokenSet) async {
    do {
      for request in try await issuer.endSessionRequests(tokens) { _ = try await tools.carrier.exchange(request) }
    } catch {
      return
    }
  }
}
