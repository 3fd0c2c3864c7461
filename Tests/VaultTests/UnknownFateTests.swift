import Secrets
import Synchronization
import Testing
import Time
import Vault

/// A refresh whose answer was lost, in a whole vault.
@Suite struct LostAnswerTests {
  @Test func `B3 a lost answer and a superseded access token end in a sign-in and no second request`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(215))
    world.carrier.next(.lost)
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(16))
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }

  @Test func `B4 a lost request and a living access token are sent once more`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(215))
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(16))
    await world.settled(.signedIn)
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 2)
  }

  @Test func `with a dead access token and nothing to lose the token is sent again after the processing limit`()
    async throws
  {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 60) }
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(16))
    #expect(text(try await asking.value.accessToken) == "at-2")
  }

  @Test func `an issuer of which nothing is known is never sent a token of unknown fate`() async throws {
    let world = try World(policy: .unknown)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }
}

extension World {
  /// Returns when the account is in this state and no work runs.
  func settled(_ state: AccountSummary.State) async {
    for _ in 0..<100_000 {
      if await vault.list().first?.state == state { return }
      await Task.yield()
    }
  }
}

/// The table "Unknown(n)" of the rotation, one cell a test, over an intent that an earlier daemon left.
@Suite struct UnknownFateTests {
  private static func policy(
    grace: RotationPolicy.Grace = .none, oracle: RotationPolicy.Oracle = .none,
    blast: RotationPolicy.ReuseBlast = .unknown
  ) -> RotationPolicy {
    RotationPolicy(grace: grace, oracle: oracle, reuseBlast: blast, keepsUnrotated: false)
  }

  @Test func `inside a grace window the token is sent again at once`() async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(60))))
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 2)
  }

  @Test(arguments: [8, 9, 10, 3600])
  func `a grace window that ends is not used any more`(ago: Int) async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(10))))
    world.clock.advance(by: .seconds(301))
    world.leaveSending(ago: ago)
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `another boot ends a grace window`() async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(60))))
    world.clock.advance(by: .seconds(301))
    world.leaveSending(boot: BootID(high: 9, low: 9))
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `until-used waits for the processing limit and sends again`() async throws {
    let world = try World(policy: Self.policy(grace: .untilUsed))
    world.leaveSending()
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    await world.clock.sleepers(1)
    #expect(world.clock.nextDue == world.clock.now + .seconds(15))
    #expect(world.carrier.sent == 0)
    await world.wind()
    await world.stored(generation: 2)
    #expect(world.carrier.sent == 1)
  }

  @Test func `B3 the oracle is asked after the processing limit and not before`() async throws {
    let world = try World()
    world.leaveSending()
    _ = try await world.token()
    await world.clock.sleepers(1)
    #expect(world.clock.nextDue == world.clock.now + .seconds(15))
    #expect(world.carrier.state.withLock { $0.probes } == 0)
  }

  @Test func `another boot needs no processing limit`() async throws {
    let world = try World()
    world.leaveSending(boot: BootID(high: 9, low: 9))
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    _ = try await world.token()
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `an oracle that does not answer is asked four times and the living token is served`() async throws {
    let world = try World()
    world.leaveSending()
    world.carrier.state.withLock { $0.sessionStatus = 500 }
    _ = try await world.token()
    for pause in [15, 4, 16, 64] {
      await world.clock.sleepers(1)
      #expect(world.clock.nextDue == world.clock.now + .seconds(pause))
      #expect(text(try await world.token().accessToken) == "at-1")
      await world.wind()
    }
    await world.clock.sleepers(1)
    #expect(world.carrier.state.withLock { $0.probes } == 4)
    #expect(world.carrier.sent == 0)
  }

  @Test func `a 401 from the oracle counts only while the access token has thirty seconds left`() async throws {
    let world = try World(life: 45)
    world.leaveSending()
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    await world.wind()
    await world.stored(generation: 2)
    #expect(world.carrier.state.withLock { $0.probes } == 0)
    #expect(world.carrier.sent == 1)
  }

  @Test func `without an oracle the living token is served to its end and then the person is asked`() async throws {
    let world = try World(policy: Self.policy())
    world.leaveSending()
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.clock.sleepers(1)
    #expect(world.clock.nextDue == world.clock.now + .seconds(300))
    await world.wind()
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test(arguments: [RotationPolicy.ReuseBlast.user, .unknown])
  func `a dead access token is not risked where reuse may end more than the session`(
    _ blast: RotationPolicy.ReuseBlast
  ) async throws {
    let world = try World(policy: Self.policy(oracle: .session, blast: blast))
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }

  @Test func `C11 the most sends count over all lives of the daemon`() async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(60))))
    world.leaveSending(sends: 4)
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    await world.settled(.signInRequired)
    #expect(world.carrier.sent == 0)
  }

  @Test func `C11 each send counts up in the journal`() async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(60))))
    world.leaveSending(sends: 2)
    world.carrier.next(.gated(200, "ok 2 300"))
    _ = try await world.token()
    await world.carrier.atGate()
    guard case .sending(let intent) = world.intent else {
      Issue.record("no intent")
      return
    }
    #expect(intent.sends == 3 && intent.flight == 8)
    world.carrier.openGate()
  }

  @Test func `a token whose answers are lost again and again is sent four times in all`() async throws {
    let world = try World(policy: Self.policy(grace: .window(.seconds(60))))
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost, .lost, .lost, .lost, .land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 4)
  }
}
