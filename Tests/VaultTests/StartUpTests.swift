import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// What a vault makes of the store and the journal that an earlier daemon left.
@Suite struct StartUpTests {
  @Test func `C1 an answer that landed and was not stored is taken over without a request`() async throws {
    let world = try World()
    world.leaveSending(pad: world.carrier.answer(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    #expect(world.carrier.sent == 0)
  }

  @Test func `C1 a generation that the store lost again is taken from the pad at rest`() async throws {
    let world = try World()
    world.leaveIdle(2, pad: world.carrier.answer(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    await world.stored(generation: 2)
    #expect(try world.stored()?.generation == 2)
    #expect(world.carrier.sent == 0)
  }

  @Test func `a refusal that landed is terminal without a request`() async throws {
    let world = try World()
    world.leaveSending(pad: world.carrier.answer(400, ""))
    await #expect(throws: VaultError.signInRequired(account: "work", .refused)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  enum RolledBack: CaseIterable {
    case idleAhead, idleTwoAheadWithPad, idleOtherToken, sendingAhead
  }

  @Test(arguments: RolledBack.allCases)
  func `C8 a store older than the journal is rolled back and nothing is sent`(_ how: RolledBack) async throws {
    let world = try World()
    let pad = world.carrier.answer(200, "ok 3 300")
    switch how {
    case .idleAhead: world.leaveIdle(2)
    case .idleTwoAheadWithPad: world.leaveIdle(3, pad: pad)
    case .idleOtherToken: world.leaveIdle(1, token: 9)
    case .sendingAhead: world.leaveSending(2)
    }
    world.clock.advance(by: .seconds(301))
    await #expect(throws: VaultError.signInRequired(account: "work", .rolledBack)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test(arguments: [("elsewhere", UInt32(1000)), ("machine", 1001)])
  func `a record made for another machine or user is neither sent nor overwritten`(
    machine: String, user: UInt32
  ) async throws {
    let world = try World()
    try world.put(world.record(1, world.tokens(1), machine: machine, user: user))
    world.clock.advance(by: .seconds(301))
    await #expect(throws: VaultError.signInRequired(account: "work", .otherMachine)) { try await world.token() }
    #expect(world.carrier.sent == 0)
    #expect(world.store.state.withLock { $0.saves } == 0)
  }

  @Test func `C7 a damaged journal needs a sign-in, and until then nothing is sent`() async throws {
    let world = try World()
    world.journal.damage.withLock { $0 = .damaged("it has not its size") }
    for force in [false, true] {
      await #expect(throws: VaultError.signInRequired(account: "work", .damaged)) {
        try await world.token(force: force)
      }
    }
    #expect(world.carrier.sent == 0)
    world.journal.damage.withLock { $0 = nil }
    #expect(try await world.token().generation == 1)
  }

  @Test func `C7 a damaged record is left where it is`() async throws {
    let world = try World()
    world.store.state.withLock { $0.kept[world.account.id] = secret("no record") }
    await #expect(throws: VaultError.signInRequired(account: "work", .damaged)) { try await world.token() }
    #expect(text(world.store.state.withLock { $0.kept[world.account.id] }) == "no record")
    #expect(world.store.state.withLock { $0.saves } == 0)
  }

  @Test func `an open store without a record asks for a sign-in`() async throws {
    let world = try World()
    world.store.state.withLock { $0.kept = [:] }
    await #expect(throws: VaultError.signInRequired(account: "work", .missing)) { try await world.token() }
  }

  @Test func `C1 a courier in flight is waited for and what it brings is served`() async throws {
    let world = try World()
    world.leaveSending(isFlying: true)
    let asking = Task { try await world.token() }
    await world.journal.awaited()
    world.journal.comeHome(world.account.id, with: world.carrier.answer(200, "ok 2 300"))
    #expect(text(try await asking.value.accessToken) == "at-2")
    #expect(world.carrier.sent == 0)
  }

  @Test func `C1 while a courier flies a caller gets no token and no sign-in but a time to come back`() async throws {
    let world = try World()
    world.leaveSending(isFlying: true)
    let asking = Task { try await world.token(timeout: 5) }
    await world.journal.awaited()
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(5))
    let error = await #expect(throws: VaultError.self) { try await asking.value }
    world.journal.comeHome(world.account.id, with: nil)
    guard case .temporary = error else {
      Issue.record("expected temporary, got \(String(describing: error))")
      return
    }
  }

  @Test func `B7 a request that never departed in this boot is simply sent`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending(departed: false)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test func `C1 a missing mark of another boot proves nothing`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending(departed: false, boot: BootID(high: 9, low: 9))
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `B3 a refresh of unknown fate is not sent again because a caller needs a token`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `tokens that were stored and never settled are checked before they are served`() async throws {
    let world = try World(generation: 2)
    world.leaveSending(1)
    world.issuer.verdict.withLock { $0 = .refused("wrong audience") }
    await #expect(throws: VaultError.signInRequired(account: "work", .unverified)) { try await world.token() }
  }

  @Test func `tokens that were stored and never settled are served and settled when they pass`() async throws {
    let world = try World(generation: 2)
    world.leaveSending(1)
    #expect(text(try await world.token().accessToken) == "at-2")
    await world.until { world.idleGeneration == 2 }
    #expect(world.idleGeneration == 2)
    #expect(world.carrier.sent == 0)
  }

  @Test func `an answer lost in an earlier life does not keep a living token back`() async throws {
    let world = try World()
    world.leaveSending()
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(world.carrier.sent == 0)
  }
}
