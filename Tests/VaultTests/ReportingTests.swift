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

  @Test func `a crowd that reports one generation causes one refresh`() async throws {
    let world = try World()
    _ = try await world.token()
    // Nothing but the generation holds the crowd back.
    await world.vault.setForceInterval(.zero)
    world.carrier.next(.gated(200, "ok 2 300"), .land(200, "ok 3 300"), .land(200, "ok 4 300"))
    let session = try await world.vault.session("work")
    let crowd = (0..<1000).map { _ in Task { await session.reportRejected(generation: 1) } }
    await world.carrier.atGate()
    for caller in crowd { #expect(await caller.value) }
    world.carrier.openGate()
    while try await world.token().generation == 1 { await Task.yield() }
    await world.stored(generation: 2)
    // Those who come late report a token that is not handed out any more.
    let late = (0..<1000).map { _ in Task { await session.reportRejected(generation: 1) } }
    for caller in late { #expect(await !caller.value) }
    #expect(world.carrier.sent == 1)
    #expect(await session.reportRejected(generation: 2))
    while try await world.token().generation == 2 { await Task.yield() }
    #expect(world.carrier.sent == 2)
  }

  @Test func `accounts of one issuer share the hour's budget of checks`() async throws {
    let world = try World(life: 30_000, hasHome: true)
    let home = world.record(1, world.tokens(1, life: 30_000), of: world.home)
    world.sealed.put(try RecordCodec.encode(home), for: world.home)
    var sessions: [AccountSession] = []
    for name in ["work", "home"] { sessions.append(try await world.vault.session(name)) }
    for _ in 0..<130 {
      for session in sessions { _ = try await session.checkSession(deadline: world.clock.now + .seconds(30)) }
      world.clock.advance(by: .seconds(10))
    }
    #expect(world.carrier.state.withLock { $0.probes } == 240)
  }

  @Test func `the session's claims are shown with their lists`() async throws {
    let world = try World()
    let body = #"{"amr":["passkey","mfa"],"verified":true,"expires_at":7,"more":{"x":1},"mixed":["a",1],"none":[]}"#
    world.carrier.state.withLock { $0.sessionBody = body }
    let session = try await world.vault.session("work")
    let check = try await session.checkSession(deadline: world.clock.now + .seconds(30))
    #expect(check.claims.map { "\($0.name)=\($0.value)" } == ["amr=passkey mfa", "verified=true", "expires_at=7"])
  }

  @Test(arguments: ["", "<!DOCTYPE html><title>Welcome</title>", "[]", "null", "{\"sub\":"])
  func `a page that answers in the issuer's place is no session`(body: String) async throws {
    let world = try World()
    world.carrier.state.withLock { $0.sessionBody = body }
    let session = try await world.vault.session("work")
    let error = await #expect(throws: VaultError.self) {
      try await session.checkSession(deadline: world.clock.now + .seconds(30))
    }
    guard case .temporary = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test func `when the issuer's own budget is spent the last answer is given, or when to come again`() async throws {
    let world = try World()
    let session = try await world.vault.session("work")
    world.carrier.state.withLock { ($0.sessionStatus, $0.sessionRetryAfter) = (429, 42) }
    let error = await #expect(throws: VaultError.self) {
      try await session.checkSession(deadline: world.clock.now + .seconds(30))
    }
    guard case .temporary(_, _, retryAfter: 42) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    world.carrier.state.withLock { $0.sessionStatus = 200 }
    let first = try await session.checkSession(deadline: world.clock.now + .seconds(30))
    world.clock.advance(by: .seconds(20))
    world.carrier.state.withLock { $0.sessionStatus = 429 }
    #expect(try await session.checkSession(deadline: world.clock.now + .seconds(30)) == first)
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
