import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Sign-out at an issuer that is slow, hangs, or answers when nobody waits any more.
@Suite struct SignOutPatienceTests {
  @Test func `an issuer that hangs keeps nobody waiting and nothing from being wiped`() async throws {
    let world = try World()
    _ = try await world.token()
    world.carrier.state.withLock { $0.isHanging = true }
    let began = world.clock.now
    let leaving = Task { try await world.vault.signOut("work") }
    await world.wind()
    let report = try await leaving.value
    #expect(!report.isRevoked && report.isWiped && report.note?.contains("did not answer in time") == true)
    #expect(world.isEmpty)
    #expect(world.clock.now - began <= .seconds(8))
  }

  @Test func `I2 an answer that comes after the wipe is dropped`() async throws {
    let world = try World()
    let session = Remembered(session: try await world.vault.session("work"))
    let leaving = try await signOutInFlight(world)
    await world.wind()
    // The present token is tried; then the flight is waited for until the time is over.
    await world.until { world.carrier.state.withLock { $0.ended } == ["at-1"] }
    await world.wind()
    let report = try await leaving.value
    #expect(!report.isRevoked && report.isWiped)
    #expect(world.carrier.state.withLock { $0.recalled } == [world.account.id])
    world.carrier.openGate()
    await world.until { session.isGone }
    #expect(session.isGone && world.isEmpty && world.store.state.withLock { $0.saves } == 0)
    #expect(world.carrier.sent == 1)
  }

  @Test func `I2 an answer that comes late and in time is revoked`() async throws {
    let world = try World()
    let leaving = try await signOutInFlight(world)
    await world.wind()
    await world.until { world.carrier.state.withLock { $0.ended } == ["at-1"] }
    world.carrier.openGate()
    #expect(try await leaving.value.isRevoked)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1", "at-2"])
    #expect(world.isEmpty && world.store.state.withLock { $0.saves } == 0)
  }

  @Test func `a refresh that had not departed by then makes no journal and sends nothing`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.issuer.isHanging.withLock { $0 = true }
    world.carrier.state.withLock { $0.isHanging = true }
    world.carrier.next(.land(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    let session = Remembered(session: try await world.vault.session("work"))
    await world.until { world.issuer.hung.withLock { $0 } == 1 }
    let leaving = Task { try await world.vault.signOut("work") }
    await #expect(throws: VaultError.unknownAccount("work")) { try await asking.value }
    await world.wind()
    await world.wind()
    #expect(try await leaving.value.isWiped)
    await world.until { session.isGone }
    #expect(session.isGone && world.isEmpty && world.carrier.sent == 0)
  }

  @Test func `an answer that an earlier daemon did not store is revoked too`() async throws {
    let world = try World(phase: .signingOut)
    world.leaveSending(pad: world.carrier.answer(200, "ok 2 300"))
    await world.vault.resume()
    #expect(world.carrier.state.withLock { $0.ended } == ["at-2"])
    #expect(world.isEmpty && world.carrier.sent == 0)
  }

  /// Signs out while a refresh is on its way.
  private func signOutInFlight(_ world: World) async throws -> Task<SignOutReport, any Error> {
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let leaving = Task { try await world.vault.signOut("work") }
    await #expect(throws: VaultError.unknownAccount("work")) { try await asking.value }
    return leaving
  }
}

/// A session as long as somebody has it: tokens, and work that is under way, keep it.
private struct Remembered: Sendable {
  weak let session: AccountSession?

  var isGone: Bool { session == nil }
}
