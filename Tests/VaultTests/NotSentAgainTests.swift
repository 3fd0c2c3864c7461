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

  /// Two sendings before now, then one that did not depart before the daemon died.
  private func leaveNotSent(_ world: World, first: Int, last: Int) {
    let moments = [first, last].map { BootMoment(boot: world.clock.bootID, instant: world.clock.now + .seconds(-$0)) }
    world.leaveSending(departed: false, sends: 3, earlier: UnknownSends(first: moments[0], last: moments[1]))
  }

  @Test func `C1 a crash behind a repetition that was not sent does not move the grace window`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    leaveNotSent(world, first: 59, last: 59)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `C1 inside the window it is sent again after such a crash`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    leaveNotSent(world, first: 50, last: 50)
    world.carrier.next(.land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  @Test func `the window counts from the first sending where reuse could end more than the session`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    leaveNotSent(world, first: 59, last: 5)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `it counts from the last sending where the session is lost otherwise`() async throws {
    var policy = Self.window
    policy.reuseBlast = .session
    let world = try World(policy: policy)
    world.clock.advance(by: .seconds(301))
    leaveNotSent(world, first: 59, last: 5)
    world.carrier.next(.land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  @Test func `the journal remembers the sendings before one`() async throws {
    let world = try World(policy: Self.window)
    world.clock.advance(by: .seconds(301))
    world.leaveSending(ago: 20)
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    guard case .sending(let intent) = world.intent else {
      Issue.record("no intent")
      return
    }
    let sent = BootMoment(boot: world.clock.bootID, instant: world.clock.now + .seconds(-20))
    #expect(intent.earlier == UnknownSends(first: sent, last: sent) && intent.sends == 2)
    world.carrier.openGate()
    _ = try await asking.value
  }

  @Test(.timeLimit(.minutes(1)))
  func `where reuse ends only the session, a repetition that was refused is not forgotten either`() async throws {
    var policy = RotationPolicy.didit
    policy.grace = .window(.seconds(60))
    let world = try World(policy: policy)
    world.clock.advance(by: .seconds(100))
    world.carrier.next(.lost, .refused)
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    _ = try await world.token(force: true)
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(90))
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
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
