import Secrets
import Sodium
import Time

extension AccountSession {
  /// R5: stores the record, again and again until the store has it. Until then the journal's pad is the only copy.
  func keep(_ record: StoredRecord) {
    unstored = record
    guard storing == nil else { return }
    storing = Task(executorPreference: tools.executor) { await self.keepStoring() }
  }

  private func keepStoring() async {
    var backoff = Backoff()
    while let record = unstored, !Task.isCancelled {
      tools.onStep(.r5)
      if let trouble = await save(record) {
        if storeTrouble == nil { tell(.storageTrouble, generation: record.generation, trouble) }
        storeTrouble = trouble
        backoff.failed(at: tools.clock.now, retryAfter: nil, jitter: Double(Random.below(1000)) / 1000)
        wakeStoreWatchers()
        guard await pauseStoring(until: backoff.notBefore ?? tools.clock.now) else { break }
      } else {
        storeTrouble = nil
        if unstored?.generation == record.generation { unstored = nil }
        machine.stored(generation: record.generation)
        wakeStoreWatchers()
        await settleJournal()
      }
    }
    storing = nil
    wakeStoreWatchers()
  }

  /// Returns when the store has the newest tokens, or has refused them.
  func triedToStore() async {
    // In one step: it may be over by the time a call has come to its body.
    await withCheckedContinuation { continuation in
      if storing != nil, unstored != nil, storeTrouble == nil {
        storeWatchers.append(continuation)
      } else {
        continuation.resume()
      }
    }
  }

  private func wakeStoreWatchers() {
    for watcher in storeWatchers { watcher.resume() }
    storeWatchers = []
  }

  private func pauseStoring(until instant: BootInstant) async -> Bool {
    do {
      try await tools.clock.sleep(until: instant)
      return true
    } catch {
      return false
    }
  }

  /// Saves a record. Returns what went wrong, in words.
  private func save(_ record: StoredRecord) async -> String? {
    do {
      try await store.save(RecordCodec.encode(record), for: account)
      return nil
    } catch let error as StoreError {
      return error.text
    } catch {
      return "no locked memory left"
    }
  }

  /// Sets the journal's intent idle once the newest generation is both stored and checked. Storing may be done while
  /// the old generation is still held: then its turn comes with the check. Failing is harmless: the pad stays and the
  /// next start reads it again.
  func settleJournal() async {
    guard case .holding(let generation) = machine.state, generation.isStored, generation.isVerified,
      let key = journalKey, let (brought, flight) = unsettled, brought == generation.number
    else { return }
    tools.onStep(.r7)
    unsettled = nil
    let idle = IdleIntent(generation: generation.number, flight: flight, tokenHash: generation.hash(key))
    do {
      try await tools.journal.settle(idle, journalContext(key))
    } catch {
      tell(.storageTrouble, generation: generation.number, error.text)
    }
  }
}

extension Generation {
  /// The keyed hash by which the journal knows this generation.
  func hash(_ key: SecretBox) -> [UInt8] {
    KeyedHash.digest((refreshToken ?? accessToken).secret, key: key.secret)
  }
}

extension StoreError {
  /// What went wrong, in words.
  package var text: String {
    switch self {
    case .locked: "the store is locked"
    case .unavailable(let what), .storage(let what), .damaged(let what), .untrusted(let what): what
    case .wrongPassphrase: "the passphrase is wrong"
    case .dismissed: "the prompt was dismissed"
    }
  }
}
