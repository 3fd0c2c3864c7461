import Exchange
import Secrets
import Time

extension AccountSession {
  /// Takes over what a narrowed refresh brought: a new refresh token perhaps, and an access token that is not the
  /// account's. The next generation keeps the account's own, with the ID token that names it.
  func accept(narrowed tokens: TokenSet, after old: Generation, flight: UInt64) async {
    // Checked before anything of it is taken over: until then the journal's pad is the only copy, and whoever starts anew
    // reads and checks it again. Once stored beside the old access token nothing could tell whose refresh token it is.
    unchecked = nil
    do {
      // Without an access token there is nothing to hand out, and without an ID token nothing to check: the refresh token
      // alone is taken over, which may be the only one that is still good.
      if tokens.accessToken.count > 0 || tokens.idToken != nil { _ = try await issuer().verify(tokens, expectation) }
    } catch {
      return doubt(error, tokens, after: old, flight: flight)
    }
    let kept = old.tokens(clock: tools.clock, scope: old.scope)
    let next = TokenSet(
      accessToken: kept.accessToken, refreshToken: tokens.refreshToken, idToken: await storedIDToken(of: old),
      tokenType: kept.tokenType, scope: kept.scope, lifetime: kept.lifetime, receivedAt: kept.receivedAt,
      receivedBoot: kept.receivedBoot, receivedWall: kept.receivedWall)
    await accept(next, after: old, flight: flight, isChecked: true)
    // After a restart, or when its fate was unknown for a while, nobody waits for the token any more.
    guard let narrowing = asked, case .holding(let held) = machine.state, held.number == old.number + 1,
      held.isVerified
    else { return }
    if let why = tokens.unfitness(for: narrowing, expectation) { return refuse(narrowing, why) }
    let token = Generation(number: held.number, tokens, clock: tools.clock, isVerified: true, isStored: true)
    machine.narrowed.keep(token, for: narrowing)
  }

  /// What could not be checked is checked later, before the next refresh; what failed its check ends the session here.
  private func doubt(_ error: IssuerError, _ tokens: TokenSet, after old: Generation, flight: UInt64) {
    if case .gone = machine.state {
      farewell = tokens
      leavingGeneration = old.number + 1
      return
    }
    switch error {
    case .refused: break
    case .temporary, .configuration:
      unchecked = (tokens, flight)
      var doubtful = old
      doubtful.isVerified = false
      machine.hold(doubtful)
    }
    refuse(error, generation: old.number)
  }

  /// The narrowing to which the answer that is read belongs; nil when nobody waits for it.
  private var asked: Narrowing? {
    guard !isReadingFound, case .narrow(let narrowing) = machine.work else { return nil }
    return narrowing
  }

  /// The scopes that are asked for just now, if it is some.
  var askedScope: String? {
    guard let asked, !asked.scopes.isEmpty else { return nil }
    return asked.scopes.joined(separator: " ")
  }

  /// The narrowing that is asked for just now is not to be had.
  func refuseNarrowing(_ why: String) {
    guard let asked else { return }
    refuse(asked, why)
  }

  func refuse(_ narrowing: Narrowing, _ why: String) {
    machine.narrowed.refuse(narrowing, why, at: tools.clock.now)
  }

  /// Only the store has it. Where that cannot be read now the generation goes without.
  private func storedIDToken(of generation: Generation) async -> SecretBox? {
    if let unstored, unstored.generation == generation.number { return unstored.tokens?.idToken }
    guard let record = await peekRecord(), record.generation == generation.number else { return nil }
    return record.tokens?.idToken
  }
}

extension TokenSet {
  /// Why the access token is not one to be handed out for `narrowing`.
  fileprivate func unfitness(for narrowing: Narrowing, _ expectation: Expectation) -> String? {
    if accessToken.count == 0 { return "the issuer granted no access token that could be used" }
    if !expectation.isBound(self) { return Expectation.unbound }
    if lifetime <= .zero { return "the issuer granted an access token without life" }
    if isScopeUnreadable { return "what the issuer granted cannot be read" }
    return scopeBeyond(narrowing).map { "the issuer granted \($0) beside what was asked for" }
  }

  /// A scope that was granted and not asked for; nil when there is none, or when nobody asked for scopes.
  fileprivate func scopeBeyond(_ narrowing: Narrowing) -> String? {
    guard !narrowing.scopes.isEmpty, let scope else { return nil }
    let asked = Set(narrowing.scopes)
    return scope.split(separator: " ").map(String.init).first { !asked.contains($0) }
  }
}
