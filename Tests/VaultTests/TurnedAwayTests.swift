import Synchronization
import Testing
import Time
import Vault

/// An issuer that turns a refresh away unlooked at: nothing was spent, however little is known of the issuer.
@Suite struct TurnedAwayTests {
  /// At the moment when the access token has run out.
  private func expired(_ policy: RotationPolicy = .unknown) throws -> World {
    let world = try World(policy: policy)
    world.clock.advance(by: .seconds(301))
    return world
  }

  /// How long a caller is told to wait; nil when it was told something else, or given a token.
  private func wait(_ world: World) async -> Int? {
    do throws(VaultError) {
      _ = try await world.token()
      return nil
    } catch {
      guard case .temporary(_, _, let retryAfter) = error else { return nil }
      return retryAfter
    }
  }

  /// How often the token was sent whose fate nobody knows, as the journal has it.
  private func sends(_ world: World) -> UInt32? {
    guard case .sending(let intent) = world.intent else { return nil }
    return intent.sends
  }

  @Test func `B8 at an issuer of which nothing is known it is tried again and costs no sign-in`() async throws {
    let world = try expired()
    world.carrier.next(.tooMany(retryAfter: 120), .land(200, "ok 2 300"))
    let wait = try #require(await wait(world))
    world.clock.advance(by: .seconds(wait))
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 2)
  }

  @Test(
    arguments: [
      (3600, 3600), (3601, 3600), (.max, 3600), (-5, 1), (.min, 1), (0, 1), (nil, 1), (1, 1), (90, 90),
    ] as [(Int64?, Int)])
  func `B8 it is sent again after what was asked, between a second and an hour, and not before`(
    _ asked: Int64?, _ least: Int
  ) async throws {
    let world = try expired()
    world.carrier.next(.tooMany(retryAfter: asked), .land(200, "ok 2 300"))
    let wait = try #require(await wait(world))
    // The pause of a first failure has a jitter of a quarter second, and seconds are rounded up.
    #expect((least...least + 1).contains(wait))
    world.clock.advance(by: .seconds(least) - .milliseconds(1))
    #expect(await self.wait(world) != nil && world.carrier.sent == 1)
    world.clock.advance(by: .seconds(2))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  @Test func `B8 a token that lives is served meanwhile`() async throws {
    let world = try World(policy: .unknown)
    world.clock.advance(by: .seconds(250))
    world.carrier.next(.tooMany(retryAfter: .max))
    for _ in 0..<5 { #expect(text(try await world.token().accessToken) == "at-1") }
    #expect(world.carrier.sent == 1)
    #expect(await world.vault.list().first?.state == .signedIn)
  }

  @Test func `being turned away does not count among the sends of unknown fate`() async throws {
    let world = try expired(.didit)
    for _ in 0..<6 {
      world.carrier.next(.tooMany(retryAfter: 100))
      let wait = try #require(await wait(world))
      world.clock.advance(by: .seconds(wait))
      #expect(sends(world) == 1)
    }
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 60) }
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(16))
    #expect(text(try await asking.value.accessToken) == "at-2")
    #expect(world.carrier.sent == 8)
  }

  @Test func `nor does being refused for what we are configured to be`() async throws {
    let world = try expired(.didit)
    for _ in 0..<6 {
      world.carrier.next(.land(404, ""))
      await #expect(throws: VaultError.misconfigured(account: "work", message: "not found")) {
        try await world.token()
      }
      world.clock.advance(by: .seconds(100))
    }
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 60) }
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(16))
    #expect(text(try await asking.value.accessToken) == "at-2")
  }

  @Test func `B8 the next daemon waits as long as was asked and then sends`() async throws {
    let world = try expired()
    world.carrier.next(.tooMany(retryAfter: 120))
    _ = try #require(await wait(world))
    world.clock.advance(by: .seconds(100))
    let next = try World(after: world)
    next.carrier.next(.land(200, "ok 2 300"))
    let left = try #require(await wait(next))
    #expect((20...21).contains(left) && next.carrier.sent == 0)
    next.clock.advance(by: .seconds(left))
    #expect(text(try await next.token().accessToken) == "at-2")
  }

  @Test func `B8 what was asked for an hour ago is over`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending(pad: world.carrier.answer(429, "", retryAfter: 3600))
    world.clock.advance(by: .seconds(3600))
    world.carrier.next(.land(200, "ok 2 300"))
    let left = try #require(await wait(world))
    #expect(left <= 2)
    world.clock.advance(by: .seconds(left))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  private static let window: RotationPolicy = {
    var policy = RotationPolicy.unknown
    policy.grace = .window(.seconds(60))
    return policy
  }()

  @Test(.timeLimit(.minutes(1)))
  func `a repetition that is turned away leaves the first sending's fate unknown`() async throws {
    let world = try expired(Self.window)
    world.carrier.next(.lost, .tooMany(retryAfter: 90))
    let asking = Task { try await world.token(timeout: 200) }
    // The caller's deadline, and the pause that was asked for.
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(91))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await asking.value }
    #expect(world.carrier.sent == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a repetition that was turned away before the daemon died leaves it unknown too`() async throws {
    let world = try expired(Self.window)
    world.leaveSending(pad: world.carrier.answer(429, "", retryAfter: 5), ago: 100, sends: 2)
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }
}
