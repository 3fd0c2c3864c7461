import Secrets
import Synchronization
import Testing
import Time
import Vault

/// A store or a journal that somebody else wrote in, set back, or copied from elsewhere.
@Suite struct ForgeryTests {
  /// A journal whose intent is not authentic.
  private func spoil(_ world: World) {
    world.journal.files.withLock {
      $0[world.account.id] = MemoryJournal.File(intent: .unreadable, departed: true, forged: 1)
    }
  }

  @Test func `what is not authentic is reported`() async throws {
    let world = try World()
    world.leaveIdle(1)
    world.journal.files.withLock { $0[world.account.id]?.forged = 1 }
    let events = world.vault.hub.watch()
    #expect(text(try await world.token().accessToken) == "at-1")
    let told = await world.events(events)
    #expect(told.contains { $0.kind == .storageTrouble && ($0.detail ?? "").contains("not authentic") })
    #expect(world.carrier.sent == 0)
  }

  @Test func `an intent that cannot be read keeps no living token back`() async throws {
    let world = try World(policy: .unknown)
    spoil(world)
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(world.carrier.sent == 0)
  }

  @Test func `an intent that cannot be read may have said that the token was sent`() async throws {
    let world = try World(policy: .unknown)
    spoil(world)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `after an intent that cannot be read the session resource says whether the token is good`() async throws {
    let world = try World()
    spoil(world)
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    await world.stored(generation: 2)
    #expect(world.carrier.state.withLock { $0.probes } == 1)
    #expect(world.carrier.sent == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `after an intent that cannot be read a superseded token is not sent`() async throws {
    let world = try World()
    spoil(world)
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    _ = try await world.token()
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `C8 a journal that was set back is overruled by the store`() async throws {
    let world = try World(generation: 5)
    world.leaveIdle(3, pad: world.carrier.answer(200, "ok 3 300"))
    #expect(text(try await world.token().accessToken) == "at-5")
    #expect(world.carrier.sent == 0)
  }

  // MARK: Signing out of what is not ours to send

  @Test(arguments: [("elsewhere", UInt32(1000)), ("machine", 1001)])
  func `signing out of a copy from elsewhere leaves the session there alone`(
    machine: String, user: UInt32
  ) async throws {
    let world = try World()
    try world.put(world.record(1, world.tokens(1), machine: machine, user: user))
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped)
    #expect(report.note?.contains("another machine") == true)
    #expect(world.carrier.state.withLock { $0.ended.isEmpty } && world.carrier.sent == 0)
  }

  @Test func `C8 signing out sends no token that was rolled back`() async throws {
    let world = try World()
    world.leaveIdle(3)
    world.carrier.state.withLock { $0.endings = [401] }
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped)
    #expect(world.carrier.sent == 0)
  }

  @Test func `signing out ends the session with what landed and was not stored`() async throws {
    let world = try World()
    world.leaveSending(pad: world.carrier.answer(200, "ok 2 300"))
    #expect(try await world.vault.signOut("work").isRevoked)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-2"])
    #expect(world.carrier.sent == 0)
  }
}
