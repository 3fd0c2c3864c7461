import Synchronization
import Testing
import Time
import Vault

/// A refresh of unknown fate whose repetition could not be sent: the first one's fate stays unknown.
@Suite struct NotSentAgainTests {
  private static let window: RotationPolicy = {
    var policy = RotationPolicy.unknown
    policy.grace = .window(.seconds(60))
    return policy
  }()

  @Test(.timeLimit(.minutes(1)))
  func `after the grace window nothing is sent when reuse could end more than the session`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost, .refused)
    let asking = Task { try await world.token(timeout: 120) }
    // The caller's deadline, and the pause after the repetition that was refused.
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(90))
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await asking.value }
    #expect(world.carrier.sent == 1)
  }

  @Test func `within the grace window it is sent as soon as the issuer is there`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.lost, .refused, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 120) }
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(10))
    #expect(text(try await asking.value.accessToken) == "at-2")
  }
}
