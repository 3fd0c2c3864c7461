import Synchronization
import Testing
import Time
import Vault

/// When the journal's intent is set idle: R5 and R6 run beside each other, and either may be the last.
@Suite struct SettlingTests {
  @Test(.timeLimit(.minutes(1)))
  func `the journal does not rest on the old generation when storing is done before the check`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.issuer.isChecking.withLock { $0 = true }
    world.carrier.next(.land(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.stored(generation: 2)
    for _ in 0..<100 { await Task.yield() }
    #expect(world.idleGeneration == nil)
    world.issuer.isChecking.withLock { $0 = false }
    #expect(text(try await asking.value.accessToken) == "at-2")
    await world.settledJournal(on: 2)
    #expect(world.idleGeneration == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `C1 a store that loses a generation again is mended although the check was slow`() async throws {
    let world = try World()
    let old = try #require(try world.stored())
    world.clock.advance(by: .seconds(301))
    world.issuer.isChecking.withLock { $0 = true }
    world.carrier.next(.land(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.stored(generation: 2)
    for _ in 0..<100 { await Task.yield() }
    world.issuer.isChecking.withLock { $0 = false }
    _ = try await asking.value
    await world.settledJournal(on: 2)
    try world.put(old)
    let next = try World(after: world)
    #expect(text(try await next.token().accessToken) == "at-2")
    #expect(next.carrier.sent == 0)
  }
}

extension World {
  /// Returns when the journal rests on this generation.
  func settledJournal(on generation: UInt64) async {
    for _ in 0..<100_000 {
      if idleGeneration == generation { return }
      await Task.yield()
    }
  }
}
