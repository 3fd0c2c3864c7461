import Exchange
import Secrets
import Sodium
import Synchronization
import Time
import Vault

/// What an earlier daemon may have left in the journal.
extension World {
  /// A refresh of `generation` that was about to be sent, `ago` seconds before now.
  func leaveSending(
    _ generation: UInt64 = 1, departed: Bool = true, pad: HTTPAnswer? = nil, isFlying: Bool = false, ago: Int = 0,
    boot: BootID? = nil, sends: UInt32 = 1, earlier: UnknownSends? = nil, isNarrowed: Bool = false
  ) {
    let intent = SendingIntent(
      generation: generation, flight: 7, flightKey: secret("flight key"), tokenHash: hash(generation),
      boot: boot ?? clock.bootID, sentAt: clock.now + .seconds(-ago), sentWall: clock.wall, sends: sends,
      earlier: earlier, isNarrowed: isNarrowed)
    let file = MemoryJournal.File(intent: .sending(intent), departed: departed, pad: pad, isFlying: isFlying)
    journal.files.withLock { $0[account.id] = file }
  }

  /// A journal at rest that has seen `generation`, whose refresh token was `rt-TOKEN`.
  func leaveIdle(_ generation: UInt64, token: UInt64? = nil, pad: HTTPAnswer? = nil) {
    let idle = IdleIntent(generation: generation, flight: 7, tokenHash: hash(token ?? generation))
    let file = MemoryJournal.File(intent: .idle(idle), departed: true, pad: pad)
    journal.files.withLock { $0[account.id] = file }
  }

  /// The intent as it is in the journal.
  var intent: JournalReading.Intent? { journal.files.withLock { $0[account.id]?.intent } }

  /// The generation of an idle intent, nil for any other.
  var idleGeneration: UInt64? {
    guard case .idle(let idle) = intent else { return nil }
    return idle.generation
  }

  private func hash(_ generation: UInt64) -> [UInt8] {
    let key = secret(String(repeating: "k", count: 32))
    return KeyedHash.digest(secret("rt-\(generation)").secret, key: key.secret)
  }
}

/// Waiting without sleeping.
extension World {
  /// Returns when `condition` holds, or gives up after very many turns.
  func until(_ condition: @Sendable () async -> Bool) async {
    for _ in 0..<1_000_000 {
      if await condition() { return }
      await Task.yield()
    }
  }

  /// Winds the clock to the moment for which the first sleeper waits.
  func wind() async {
    await clock.sleepers(1)
    if let due = clock.nextDue { clock.advance(by: due - clock.now) }
  }

  /// What `events` brings until now.
  func events(_ events: AsyncStream<VaultEvent>) async -> [VaultEvent] {
    vault.hub.closeAll()
    return await events.reduce(into: []) { $0.append($1) }
  }
}
