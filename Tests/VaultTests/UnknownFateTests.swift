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
