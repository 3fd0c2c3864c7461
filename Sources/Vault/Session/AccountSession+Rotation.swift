import Exchange
import Secrets
import Sodium
import Time

extension AccountSession {
  /// Replaces the tokens: R1–R7 of the rotation. Runs at most once at a time, whoever asked. Narrowed, it brings an access
  /// token for less, and the account keeps its own.
  func rotate(_ narrowing: Narrowing?) async {
    guard case .holding(let generation) = machine.state, let key = journalKey, let token = generation.refreshToken
    else { return }
    // Its refresh token is spent: what came for it has to be checked first, and is never asked for again.
    if let (tokens, flight) = unchecked {
      isReadingFound = true
      defer { isReadingFound = false }
      return await accept(narrowed: tokens, after: generation, flight: flight)
    }
    if await fly(token, key, narrowing, of: generation), await fly(token, key, narrowing, of: generation) {
      fail(.temporary("the issuer takes no nonce of its own"))
    }
  }

  /// One flight of a refresh, from its preconditions to what its answer says. Returns whether the issuer only wanted a
  /// nonce, which the next one has.
  private func fly(
    _ token: SecretBox, _ key: SecretBox, _ narrowing: Narrowing?, of generation: Generation
  ) async -> Bool {
    tools.onStep(.r1)
    switch await store.availability() {
    case .available: break
    case .locked:
      fail(.locked)
      return false
    case .unavailable(let what), .refusing(let what):
      fail(.storage(what))
      return false
    }
    let request: OutgoingRequest
    do {
      request = try await refreshRequest(token, narrowing)
    } catch {
      if let narrowing, case .configuration(let why) = error { refuse(narrowing, why) } else { fail(asking: error) }
      return false
    }
    let hash = KeyedHash.digest(token.secret, key: key.secret)
    let end = await tools.fly(
      request, generation: generation.number, hash: hash, cleared: clearedFlight, read: readFlight,
      isNarrowed: narrowing != nil, journalContext(key)
    ) { Task.isCancelled }
    return await settle(end, of: generation)
  }

  /// Goes on from how a flight ended. Returns whether the same token is to be sent again at once.
  private func settle(_ end: FlightEnd, of generation: Generation) async -> Bool {
    switch end {
    case .landed(let answer, let intent), .found(let answer, let intent):
      if case .found = end { isReadingFound = true }
      defer { isReadingFound = false }
      switch await digest(answer, of: generation, flight: intent.flight, isNarrowed: intent.isNarrowed) {
      case .done: break
      case .kept: clear(intent)
      case .challenged:
        clear(intent)
        return true
      case .unknown(let why, let retryAfter):
        await resolve(intent.unresolved, of: generation, why: why, retryAfter: retryAfter)
      }
    case .notSent(let why): fail(.temporary(why))
    case .storage(let why):
      tell(.storageTrouble, why)
      fail(.storage(why))
    case .unknown(let intent, let why): await resolve(intent.unresolved, of: generation, why: why, retryAfter: nil)
    }
    return false
  }

  enum Digest {
    case done
    /// The token was not spent by this request, and it was noted what keeps it from being refreshed.
    case kept
    /// The same, and the issuer said what it lacked.
    case challenged
    case unknown(String, retryAfter: Int64?)
  }

  /// Reads an answer that is durable in the journal, and does what it says.
  func digest(
    _ answer: HTTPAnswer, of generation: Generation, flight: UInt64, isNarrowed: Bool
  ) async -> Digest {
    readFlight = flight
    let meaning: TokenAnswer
    do {
      // An answer that names no scope grants what was asked for (RFC 6749 §5.1).
      let scope = isNarrowed ? askedScope ?? generation.scope : generation.scope
      let previous = generation.tokens(clock: tools.clock, scope: scope)
      meaning = try issuer().read(answer, previous: previous).meant(for: dpopKey)
    } catch {
      fail(asking: error)
      return .done
    }
    switch meaning {
    case .granted(let tokens):
      if isNarrowed {
        await accept(narrowed: tokens, after: generation, flight: flight)
      } else {
        await accept(tokens, after: generation, flight: flight)
      }
    case .dead:
      machine.die(.refused, generation: generation.number)
      tell(.signInRequired, generation: generation.number, SignInReason.refused.rawValue)
    case .misconfigured(let why):
      // Nobody else is to wait for what one caller may not have.
      if isNarrowed { refuseNarrowing(why) } else { fail(.misconfigured(why)) }
      return .kept
    case .declined(let why, let retryAfter):
      fail(.temporary(why), retryAfter: retryAfter.map { left(of: $0, since: answer) })
      return .kept
    case .challenged(let why, let hasNonce):
      // Whoever does not ask again at once leaves it to the next caller.
      fail(.temporary(why))
      return hasNonce ? .challenged : .kept
    case .unknown(let why, let retryAfter):
      return .unknown(why, retryAfter: retryAfter)
    }
    return .done
  }

  /// The token was not spent by this flight. Nor by one before it, if this was the first to count.
  func clear(_ intent: SendingIntent) {
    if intent.sends <= 1 { clearedFlight = intent.flight }
  }

  /// How many of the seconds that an answer asked for are left: it may have waited in the journal, or been read before.
  private func left(of seconds: Int64, since answer: HTTPAnswer) -> Int64 {
    guard answer.receivedBoot == tools.clock.bootID else { return 0 }
    let passed = (tools.clock.now - answer.receivedAt).wholeSeconds
    return max(0, seconds.subtractingReportingOverflow(passed).partialValue)
  }

  /// R5 and R6, beside each other: the answer is durable already, so neither waits for the other.
  func accept(
    _ tokens: TokenSet, after old: Generation, flight: UInt64, isChecked: Bool = false
  ) async {
    if case .gone = machine.state {
      farewell = tokens
      leavingGeneration = old.number + 1
      return
    }
    guard let key = journalKey else { return }
    arriving = (tokens, old.number + 1)
    defer { arriving = nil }
    unsettled = (old.number + 1, flight)
    keep(
      StoredRecord(
        account: id, issuer: account.issuer.identifier, machine: tools.machine, user: tools.user,
        generation: old.number + 1, journalKey: key, tokens: tokens, identity: identity, dpopKey: dpopKey))
    tools.onStep(.r6)
    var next = Generation(number: old.number + 1, tokens, clock: tools.clock, isVerified: true, isStored: false)
    next.follow(old)
    do {
      if !isChecked { _ = try await issuer().check(tokens, expectation) }
      next.isVerified = true
      machine.hold(next)
      if unstored?.generation != next.number { machine.stored(generation: next.number) }
      tell(.refreshed, generation: next.number)
      await settleJournal()
    } catch {
      next.isVerified = false
      machine.hold(next)
      if unstored?.generation != next.number { machine.stored(generation: next.number) }
      refuse(error, generation: next.number)
    }
  }

  /// What could not be checked now is checked later; what failed its check is never served.
  func refuse(_ error: IssuerError, generation: UInt64) {
    switch error {
    case .temporary, .configuration: fail(asking: error)
    case .refused(let why):
      machine.die(.unverified, generation: generation)
      tell(.signInRequired, generation: generation, why)
    }
  }

  func fail(_ trouble: SessionMachine.Trouble, retryAfter: Int64? = nil) {
    machine.failed(trouble, at: tools.clock.now, retryAfter: retryAfter, jitter: Double(Random.below(1000)) / 1000)
  }

  func fail(asking error: IssuerError) {
    switch error {
    case .temporary(let why): fail(.temporary(why))
    case .configuration(let why), .refused(let why): fail(.misconfigured(why))
    }
  }
}

extension Generation {
  /// As a token set again, for the reading of the answer that replaces it. Without the ID token, which is not kept.
  func tokens(clock: any Clock, scope: String?) -> TokenSet {
    TokenSet(
      accessToken: accessToken, refreshToken: refreshToken, idToken: nil, tokenType: tokenType, scope: scope,
      lifetime: lifetime, receivedAt: receivedAt, receivedBoot: clock.bootID, receivedWall: receivedWall(clock))
  }

  private func receivedWall(_ clock: any Clock) -> WallInstant {
    WallInstant(seconds: clock.wall.seconds - (clock.now - receivedAt).wholeSeconds)
  }
}
