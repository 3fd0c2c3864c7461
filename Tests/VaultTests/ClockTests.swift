import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Clocks that jump, machines that sleep, issuers that ask to wait.
@Suite struct ClockTests {
  @Test func `H1 five callers after two days of suspend cause one request`() async throws {
    let world = try World()
    _ = try await world.token()
    world.clock.advance(by: .seconds(48 * 3600))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = (1...5).map { _ in Task { text(try await world.token().accessToken) } }
    await world.carrier.atGate()
    world.carrier.openGate()
    for task in asking { #expect(try await task.value == "at-2") }
    #expect(world.carrier.sent == 1)
  }

  @Test func `H1 before the network is back nothing is sent, and then one request`() async throws {
    let world = try World()
    _ = try await world.token()
    world.clock.advance(by: .seconds(48 * 3600))
    for _ in 1...5 {
      let error = await #expect(throws: VaultError.self) { try await world.token() }
      guard case .temporary = error else {
        Issue.record("expected temporary, got \(String(describing: error))")
        return
      }
    }
    #expect(world.carrier.sent == 0)
    world.clock.advance(by: .seconds(80))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = (1...5).map { _ in Task { text(try await world.token().accessToken) } }
    await world.carrier.atGate()
    world.carrier.openGate()
    for task in asking { #expect(try await task.value == "at-2") }
    #expect(world.carrier.sent == 1)
  }

  @Test(arguments: [365 * 86_400, -365 * 86_400, .max - 1_900_000_000] as [Int64])
  func `H2 a jump of the wall clock refreshes nothing and ends nothing`(_ jump: Int64) async throws {
    let world = try World()
    _ = try await world.token()
    world.clock.setWall(WallInstant(seconds: world.clock.wall.seconds + jump))
    let grant = try await world.token()
    #expect(text(grant.accessToken) == "at-1" && grant.expiresIn == 300)
    #expect(world.carrier.sent == 0)
  }

  @Test func `H2 a daemon that starts after the jump still counts by the boot clock`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(100))
    world.clock.setWall(WallInstant(seconds: world.clock.wall.seconds + 365 * 86_400))
    #expect(try await world.token().expiresIn == 200)
  }

  @Test(arguments: [(Int64(0), 300), (100, 200), (200, 100)])
  func `after a reboot the wall clock says how much life is left`(_ elapsed: Int64, _ left: Int) async throws {
    let world = try World()
    let next = try World(after: world, clock: Self.rebooted(world, elapsed: elapsed))
    #expect(try await next.token().expiresIn == left)
  }

  @Test(arguments: [300, 86_400, -1, -86_400, .max - 1_900_000_000, -9_000_000_000_000_000_000] as [Int64])
  func `after a reboot a dead token or a clock that ran backwards means a refresh for the first caller`(
    _ elapsed: Int64
  ) async throws {
    let world = try World()
    let next = try World(after: world, clock: Self.rebooted(world, elapsed: elapsed))
    next.carrier.next(.land(200, "ok 2 300"))
    #expect(text(try await next.token().accessToken) == "at-2")
    #expect(next.carrier.sent == 1)
  }

  @Test(arguments: [
    (Int64(120), 120), (3600, 3600), (3601, 3600), (.max, 3600), (-5, 15), (0, 15), (.min, 15),
  ])
  func `B8 Retry-After is honoured within an hour and the living token is served`(
    _ asked: Int64, _ waited: Int
  ) async throws {
    let world = try World(life: 30_000)
    world.carrier.next(.busy(retryAfter: asked))
    #expect(text(try await world.token(force: true, timeout: 80_000).accessToken) == "at-1")
    // One sleeper is the caller's deadline, the other the pause.
    await world.clock.sleepers(2)
    #expect(world.clock.nextDue == world.clock.now + .seconds(waited))
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(world.carrier.sent == 1)
  }

  @Test func `failures that were not sent back off up to a minute and a quarter`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    var last = 0
    for _ in 0..<12 {
      let error = await #expect(throws: VaultError.self) { try await world.token() }
      guard case .temporary(_, _, let retryAfter) = error else {
        Issue.record("expected temporary, got \(String(describing: error))")
        return
      }
      #expect(retryAfter >= last && retryAfter <= 76)
      last = min(retryAfter, 60)
      world.clock.advance(by: .seconds(retryAfter))
    }
    #expect(last == 60)
  }

  @Test func `while backing off a caller starts nothing`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    _ = try? await world.token()
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.self) { try await world.token() }
    #expect(world.carrier.sent == 0)
    world.clock.advance(by: .seconds(2))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  private static func rebooted(_ world: World, elapsed: Int64) -> ManualClock {
    ManualClock(
      now: BootInstant(nanoseconds: 5_000_000_000),
      wall: WallInstant(seconds: world.clock.wall.seconds.addingReportingOverflow(elapsed).partialValue),
      bootID: BootID(high: 3, low: 4))
  }
}
