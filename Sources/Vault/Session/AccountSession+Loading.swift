import Exchange
import Secrets
import Sodium
import Time

extension AccountSession {
  /// Reads store and journal and decides what they mean together. No network unless an answer has to be checked.
  func load() async {
    guard let record = await readRecord() else { return }
    guard record.machine == tools.machine, record.user == tools.user else {
      return machine.bar(.signIn(.otherMachine))
    }
    guard let tokens = record.tokens, record.generation > 0 else { return machine.bar(.signIn(.missing)) }
    journalKey = record.journalKey
    dpopKey = record.dpopKey
    identity = record.identity
    let generation = Generation(
      number: record.generation, tokens, clock: tools.clock, isVerified: true, isStored: true)
    await startUp(generation, record.journalKey)
  }

  /// Reads and decodes what the store has, or bars the session and returns nil.
  func readRecord() async -> StoredRecord? {
    do {
      guard let bytes = try await store.load(account) else {
        machine.bar(.signIn(.missing))
        return nil
      }
      let record = try RecordCodec.decode(bytes)
      guard record.account == id, record.issuer == account.issuer.identifier else {
        machine.bar(.signIn(.damaged))
        return nil
      }
      return record
    } catch let error as StoreError {
      machine.bar(bar(for: error))
    } catch {
      machine.bar(.signIn(.damaged))
    }
    return nil
  }

  private func bar(for error: StoreError) -> SessionMachine.Bar {
    switch error {
    case .locked, .wrongPassphrase, .dismissed: .locked
    case .unavailable(let what): .unavailable(what)
    case .storage(let what), .untrusted(let what): .storage(what)
    case .damaged: .signIn(.damaged)
    }
  }

  private func startUp(_ generation: Generation, _ key: SecretBox) async {
    do {
      let context = journalContext(key)
      var reading = try await tools.journal.read(context)
      if reading.forged > 0 { tell(.storageTrouble, "a block of the journal is not authentic and was ignored") }
      var meaning = decide(reading, generation, key)
      while case .flying = meaning {
        // The issuer may have superseded the present token already: callers wait, at most for a courier's life.
        await tools.journal.courierGone(id)
        reading = try await tools.journal.read(context)
        meaning = decide(reading, generation, key)
      }
      await follow(meaning, reading, generation)
    } catch .damaged {
      // Whether the stored token was sent, nobody knows any more.
      machine.bar(.signIn(.damaged))
    } catch {
      machine.bar(.storage(error.text))
    }
  }

  private func decide(_ reading: JournalReading, _ generation: Generation, _ key: SecretBox) -> StartUp {
    StartUp.decide(
      reading, stored: generation.number, hash: generation.hash(key), boot: tools.clock.bootID)
  }

  private func follow(_ meaning: StartUp, _ reading: JournalReading, _ generation: Generation) async {
    var generation = generation
    switch meaning {
    case .current(let isVerified):
      generation.isVerified = isVerified
      if !isVerified { unsettled = (generation.number, reading.flight) }
      machine.hold(generation)
    case .redo(let answer):
      machine.hold(generation)
      let digest = await digest(
        answer, of: generation, flight: reading.flight, isNarrowed: reading.isNarrowed)
      guard case .sending(let intent) = reading.intent else { return }
      switch digest {
      case .done: return
      case .kept, .challenged:
        clear(intent)
        // One before it may have done something.
        if account.issuer.rotation.isSafeForAWhile { unresolved = intent.unresolvedBefore }
      case .unknown: unresolved = intent.unresolved
      }
    case .unknown(let sends):
      machine.hold(generation)
      unresolved = sends
    case .rolledBack:
      machine.bar(.signIn(.rolledBack))
    case .flying:
      machine.bar(.flying)
    }
  }

  /// Checks stored tokens that an earlier daemon had no time, or no way, to check.
  func verifyStored() async {
    guard case .holding(let generation) = machine.state else { return }
    if let (tokens, flight) = unchecked { return await accept(narrowed: tokens, after: generation, flight: flight) }
    let record = if let unstored { unstored } else { await readRecord() }
    guard let record, record.generation == generation.number, let tokens = record.tokens else { return }
    do {
      _ = try await issuer().check(tokens, expectation)
      machine.verified(generation: generation.number)
      await settleJournal()
    } catch {
      refuse(error, generation: generation.number)
    }
  }
}

extension JournalReading {
  /// The flight that the intent names, 0 without one.
  var flight: UInt64 {
    switch intent {
    case .none, .unreadable: 0
    case .idle(let idle): idle.flight
    case .sending(let sending): sending.flight
    }
  }
}
