import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Tokens that callers report, sessions that are checked, events that are told.
@Suite struct ReportingTests {
  @Test func `a rejected token is refreshed at most once a generation`() async throws {
    let world = try World()
    _ = try await world.token()
    world.carrier.next(.gated(200, "ok 2 300"), .land(200, "ok 3 300"))
    let session = try await world.vault.session("work")
    #expect(await session.reportRejected(generation: 1))
    await world.carrier.atGate()
    #expect(await session.reportRejected(generation: 1))
    world.carrier.openGate()
    await world.stored(generation: 2)
    await world.until { await world.vault.list().first?.state == .signedIn }
    #expect(await !session.reportRejected(generation: 1))
    #expect(world.carrier.sent == 1)
  }

  @Test func `a fresh token that is rejected too is not refreshed again at once`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"))
    #expect(try await world.token(force: true).generation == 2)
    await world.stored(generation: 2)
    let session = try await world.vault.session("work")
    #expect(await !session.reportRejected(generation: 2))
    #expect(world.carrier.sent == 1)
  }

  @Test func `a generation that never was starts nothing`() async throws {
    let world = try World()
    _ = try await world.token()
    world.carrier.next(.land(200, "ok 2 300"))
    let session = try await world.vault.session("work")
    #expect(await !session.reportRejected(generation: 99))
    #expect(world.carrier.sent == 0)
  }

  @Test func `a session check younger than ten seconds is shared`() async throws {
    let world = try World()
    let session = try await world.vault.session("work")
    let first = try await session.checkSession(deadline: world.clock.now + .seconds(30))
    world.clock.advance(by: .seconds(9))
    #expect(try await session.checkSession(deadline: world.clock.now + .seconds(30)) == first)
    #expect(first.isActive && world.carrier.state.withLock { $0.probes } == 1)
    world.clock.advance(by: .seconds(1))
    _ = try await session.checkSession(deadline: world.clock.now + .seconds(30))
    #expect(world.carrier.state.withLock { $0.probes } == 2)
  }

  @Test func `the hour's budget of checks is not exceeded and the last answer is given`() async throws {
    let world = try World(life: 30_000)
    let session = try await world.vault.session("work")
    for _ in 0..<250 {
      _ = try await session.checkSession(deadline: world.clock.now + .seconds(30))
      world.clock.advance(by: .seconds(10))
    }
    #expect(world.carrier.state.withLock { $0.probes } == 240)
  }

  @Test func `callers leave the last six requests of a minute to the probes`() {
    let budgets = SessionBudgets()
    let now = BootInstant(nanoseconds: 0)
    #expect((0..<30).count { _ in budgets.take(.caller, issuer: "i", at: now) } == 24)
    #expect((0..<30).count { _ in budgets.take(.probe, issuer: "i", at: now) } == 6)
    #expect(budgets.take(.caller, issuer: "other", at: now))
    #expect(budgets.take(.caller, issuer: "i", at: now + .seconds(60)))
  }

  @Test func `a refresh is told with its generation`() async throws {
    let world = try World()
    let events = world.vault.hub.watch()
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token(force: true)
    #expect(await world.events(events) == [VaultEvent(.refreshed, account: "work", generation: 2)])
  }

  @Test func `a dead refresh token is told once`() async throws {
    let world = try World()
    let events = world.vault.hub.watch()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(400, ""))
    for _ in 0..<3 { _ = try? await world.token() }
    let told = await world.events(events)
    #expect(told == [VaultEvent(.signInRequired, account: "work", generation: 1, detail: "refused")])
  }

  @Test func `C4 a journal that cannot be written is told`() async throws {
    let world = try World()
    let events = world.vault.hub.watch()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    world.journal.trouble.withLock { $0 = .storage("no space left on device") }
    _ = try? await world.token()
    #expect(await world.events(events).map(\.kind) == [.storageTrouble])
  }

  @Test func `signing out, locking and unlocking are told`() async throws {
    let world = try World()
    let events = world.vault.hub.watch()
    await world.vault.lock()
    try await world.vault.unlock(nil, passphrase: nil)
    _ = try await world.vault.signOut("work")
    #expect(await world.events(events).map(\.kind) == [.locked, .unlocked, .signedOut])
  }

  @Test func `a watcher that does not read keeps the newest events`() async throws {
    let hub = EventHub()
    let events = hub.watch()
    for number in 1...100 { hub.publish(VaultEvent(.refreshed, account: nil, generation: UInt64(number))) }
    hub.closeAll()
    let kept = await events.reduce(into: []) { $0.append($1.generation) }
    #expect(kept == (37...100).map { UInt64($0) })
  }
}
