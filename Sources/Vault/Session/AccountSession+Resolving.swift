import Exchange
import Secrets
import Sodium
import Time

extension AccountSession {
  /// Finds out what became of a refresh of unknown fate that an earlier daemon left behind.
  func resolveStored() async {
    guard let sends = unresolved, case .holding(let generation) = machine.state else { return }
    unresolved = nil
    await resolve(sends, of: generation, why: "the answer to a refresh was lost", retryAfter: nil)
  }

  /// Decides again and again until the fate is known: wait, probe, send again, or give up.
  func resolve(_ first: Unresolved, of generation: Generation, why: String, retryAfter: Int64?) async {
    var sends = first
    var probes = 0
    fail(.temporary(why), retryAfter: retryAfter)
    machine.becameUncertain()
    releaseServable()
    if let retryAfter, retryAfter > 0 {
      let wait = min(Backoff.retryAfterCap, .seconds(min(retryAfter, 1_000_000)))
      await pause(until: tools.clock.now + wait)
    }
    while !isDraining, case .holding(let held) = machine.state, held.number == generation.number {
      if case .found(let answer, let intent)? = await unread(generation) {
        switch await digest(answer, of: generation, flight: intent.flight, isNarrowed: intent.isNarrowed) {
        case .done, .kept, .challenged: return
        case .unknown: break
        }
      }
      switch UnknownFate.decide(facts(sends, generation, probes: probes)) {
      case .wait(let until):
        releaseServable()
        await pause(until: until)
      case .probe:
        switch await probe(generation) {
        case .alive:
          guard let next = await sendAgain(generation, after: sends) else { return }
          sends = next
        case .superseded:
          machine.die(.lost, generation: generation.number)
          return tell(.signInRequired, generation: generation.number, SignInReason.lost.rawValue)
        case .noAnswer:
          probes += 1
          await pause(until: tools.clock.now + Backoff.first * (1 << (2 * probes)))
        }
      case .send:
        guard let next = await sendAgain(generation, after: sends) else { return }
        sends = next
      case .signIn(let reason):
        machine.die(reason, generation: generation.number)
        return tell(.signInRequired, generation: generation.number, reason.rawValue)
      }
    }
  }

  /// The answer that landed after all, or that could not be read before.
  private func unread(_ generation: Generation) async -> FlightEnd? {
    guard let key = journalKey else { return nil }
    do {
      return try await tools.journal.read(journalContext(key)).unread(generation.number, readFlight)
    } catch {
      return nil
    }
  }

  private func facts(_ sends: Unresolved, _ generation: Generation, probes: Int) -> UnknownFate.Facts {
    let boot = tools.clock.bootID
    return UnknownFate.Facts(
      policy: account.issuer.rotation, firstSend: sends.times.first.instant(in: boot),
      lastSend: sends.times.last.instant(in: boot), sends: sends.sends, probes: probes,
      accessTokenExpiry: generation.expiry, now: tools.clock.now)
  }

  /// Sends the same token again. Returns what is unknown then, nil when the matter is settled.
  private func sendAgain(_ generation: Generation, after earlier: Unresolved) async -> Unresolved? {
    guard let key = journalKey, let token = generation.refreshToken else { return nil }
    let request: OutgoingRequest
    do {
      request = try await refreshRequest(token)
    } catch {
      fail(asking: error)
      return nil
    }
    let hash = KeyedHash.digest(token.secret, key: key.secret)
    let end = await tools.fly(
      request, generation: generation.number, hash: hash, after: earlier.times, read: readFlight, journalContext(key)
    ) { Task.isCancelled }
    switch end {
    case .landed(let answer, let intent), .found(let answer, let intent):
      switch await digest(answer, of: generation, flight: intent.flight, isNarrowed: intent.isNarrowed) {
      case .done: return nil
      case .kept, .challenged: return await afterPause(earlier)
      case .unknown(let why, let retryAfter):
        fail(.temporary(why), retryAfter: retryAfter)
        await pause(until: machine.backoff.notBefore ?? tools.clock.now)
        return intent.unresolved
      }
    case .notSent(let why):
      fail(.temporary(why))
      return await afterPause(earlier)
    case .storage(let why):
      tell(.storageTrouble, why)
      fail(.storage(why))
      return nil
    case .unknown(let intent, let why):
      fail(.temporary(why))
      return intent.unresolved
    }
  }

  /// A sending that did nothing leaves the earlier one's fate as unknown as before. Where only a window makes another one
  /// safe, it is not forgotten.
  private func afterPause(_ earlier: Unresolved) async -> Unresolved? {
    guard account.issuer.rotation.isSafeForAWhile else { return nil }
    await pause(until: machine.backoff.notBefore ?? tools.clock.now)
    return earlier
  }

  private enum Probe {
    case alive
    case superseded
    case noAnswer
  }

  /// Asks the session resource with the old access token: 200 means that the refresh was never done.
  private func probe(_ generation: Generation) async -> Probe {
    do {
      guard let request = try issuer().sessionRequest(accessToken: generation.accessToken),
        tools.budgets.take(.probe, issuer: account.issuer.identifier, at: tools.clock.now)
      else { return .noAnswer }
      switch try await tools.carrier.exchange(request).status {
      case 200: return .alive
      case 401: return .superseded
      default: return .noAnswer
      }
    } catch {
      return .noAnswer
    }
  }

  /// Sleeps, unless sign-out, locking or stopping ends the pause, or came before it.
  private func pause(until instant: BootInstant) async {
    guard !isDraining, case .holding = machine.state else { return }
    let sleeper = Task(executorPreference: tools.executor) {
      do { try await self.tools.clock.sleep(until: instant) } catch { return }
    }
    pausing = sleeper
    await sleeper.value
    pausing = nil
  }
}
