import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Guessing a passphrase through the daemon takes longer with each guess.
@Suite struct PassphraseTests {
  private func world() throws -> World {
    let world = try World(hasHome: true)
    world.sealed.set(.locked)
    world.sealed.refuseUnlock(.wrongPassphrase)
    return world
  }

  private func attempt(_ world: World) -> Task<Void, any Error> {
    Task { try await world.vault.unlock("home", passphrase: secret("guess")) }
  }

  /// How long the try that is under way still waits for its answer.
  private func delay(_ world: World) async throws -> Duration {
    await world.clock.sleepers(1)
    return try #require(world.clock.nextDue) - world.clock.now
  }

  @Test(.timeLimit(.minutes(1)))
  func `three wrong passphrases are answered later and later`() async throws {
    let world = try world()
    for seconds in [1, 2, 4] {
      let asking = attempt(world)
      #expect(try await delay(world) == .seconds(seconds))
      await world.wind()
      await #expect(throws: VaultError.denied(account: "home", message: "the passphrase is wrong")) {
        try await asking.value
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `no wrong passphrase waits longer than a minute`() async throws {
    let world = try world()
    for _ in 0..<9 {
      let asking = attempt(world)
      await world.wind()
      _ = await asking.result
    }
    let last = attempt(world)
    #expect(try await delay(world) == .seconds(60))
    await world.wind()
    _ = await last.result
  }

  @Test(.timeLimit(.minutes(1)))
  func `tries at the same time take turns`() async throws {
    let world = try world()
    let asking = (0..<3).map { _ in attempt(world) }
    let start = world.clock.now
    for _ in asking {
      await world.clock.sleepers(1)
      #expect(world.clock.sleeperCount == 1)
      await world.wind()
    }
    for task in asking { _ = await task.result }
    #expect(world.clock.now - start == .seconds(7))
  }

  @Test(.timeLimit(.minutes(1)))
  func `who goes away gains nothing by it`() async throws {
    let world = try world()
    let first = attempt(world)
    await world.clock.sleepers(1)
    first.cancel()
    let second = attempt(world)
    #expect(try await delay(world) == .seconds(1))
    await world.wind()
    #expect(try await delay(world) == .seconds(2))
    await world.wind()
    _ = await second.result
  }

  @Test(.timeLimit(.minutes(1)))
  func `the right passphrase makes the next wrong one cheap again`() async throws {
    let world = try world()
    for _ in 0..<3 {
      let asking = attempt(world)
      await world.wind()
      _ = await asking.result
    }
    world.sealed.state.withLock { $0.unlocking = nil }
    try await attempt(world).value
    world.sealed.refuseUnlock(.wrongPassphrase)
    world.sealed.set(.locked)
    let asking = attempt(world)
    #expect(try await delay(world) == .seconds(1))
    await world.wind()
    _ = await asking.result
  }

  @Test(.timeLimit(.minutes(1)))
  func `while a wrong passphrase waits the keyring is unlocked and its account served`() async throws {
    let world = try world()
    world.store.set(.locked)
    let asking = attempt(world)
    await world.clock.sleepers(1)
    try await world.vault.unlock("work", passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.wind()
    _ = await asking.result
  }
}
