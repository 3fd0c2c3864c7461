import Secrets
import Synchronization
import Testing
import Time
import Vault

@Suite struct SignOutTests {
  @Test func `sign-out ends the session and wipes store, journal and index`() async throws {
    let world = try World()
    _ = try await world.token()
    let report = try await world.vault.signOut("work")
    #expect(report.isRevoked && report.isWiped && report.note == nil)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1"])
    #expect(world.isEmpty)
    await #expect(throws: VaultError.unknownAccount("work")) { try await world.token() }
  }

  @Test func `a keyring that has nothing of the account may be another one, and that is said`() async throws {
    let world = try World()
    _ = try await world.token()
    world.store.state.withLock { $0.kept = [:] }
    let report = try await world.vault.signOut("work")
    #expect(report.isWiped && report.left == .unfound && report.note?.contains("another keyring") == true)
  }

  @Test func `a sealed file that is not there is nowhere else`() async throws {
    let world = try World(hasHome: true)
    world.sealed.state.withLock { $0.kept = [:] }
    #expect(try await world.vault.signOut("home").left == .nothing)
  }

  @Test func `what a sign-out that nobody waited for did not find is kept for status`() async throws {
    let world = try World(phase: .signingOut)
    world.store.state.withLock { $0.kept = [:] }
    await world.vault.resume()
    #expect(world.isEmpty)
    #expect(await world.vault.signOutNotes.contains { $0.hasPrefix("work: ") && $0.contains("another keyring") })
  }

  @Test(arguments: [
    (StoreError.locked, SignOutReport.Left.locked), (.storage("EIO"), .refused), (.unavailable("gone"), .refused),
  ])
  func `what is left is told by what is in the way`(trouble: StoreError, left: SignOutReport.Left) async throws {
    let world = try World()
    _ = try await world.token()
    world.store.set(trouble)
    let report = try await world.vault.signOut("work")
    #expect(report.left == left && !report.isWiped)
    #expect(report.note?.contains("unlock") != true)
  }

  @Test func `an access token that goes with its refresh token is not called left`() async throws {
    let world = try World()
    world.issuer.hasTwoEndings.withLock { $0 = true }
    world.carrier.state.withLock { $0.endings = [200, 400] }
    let report = try await world.vault.signOut("work")
    #expect(report.isRevoked && report.isWiped && report.note?.contains("access token") == true)
    #expect(world.carrier.state.withLock { $0.ended }.count == 2)
  }

  @Test func `the browser's session is ended after the tokens, with what the store has`() async throws {
    let world = try World()
    world.issuer.hasLogout.withLock { $0 = true }
    world.carrier.state.withLock { $0.logoutStatus = 302 }
    let report = try await world.vault.signOut("work")
    #expect(report.isRevoked && report.isWiped && report.note == nil)
    #expect(world.carrier.state.withLock { $0.loggedOut } == ["at-1"])
  }

  @Test(arguments: [
    (true, "logged out at the issuer, which takes no tokens back: they end with its session, or by themselves"),
    (false, "the issuer offers no way to end a session"),
  ])
  func `an issuer that takes no tokens back is told apart by what it did`(
    _ logsOut: Bool, _ note: String
  ) async throws {
    let world = try World()
    world.issuer.hasRevocation.withLock { $0 = false }
    world.issuer.hasLogout.withLock { $0 = logsOut }
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped && report.note == note)
    #expect(world.carrier.state.withLock { $0.loggedOut } == (logsOut ? ["at-1"] : []))
  }

  @Test func `a browser's session that could not be ended is told and makes no token live on`() async throws {
    let world = try World()
    world.issuer.hasLogout.withLock { $0 = true }
    world.carrier.state.withLock { $0.logoutStatus = 403 }
    let report = try await world.vault.signOut("work")
    #expect(report.isRevoked && report.isWiped)
    #expect(report.note == "the browser's session at the issuer was not ended: status 403")
  }

  @Test func `an account that was never loaded is signed out all the same`() async throws {
    let world = try World()
    #expect(try await world.vault.signOut("work").isRevoked)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1"])
    #expect(world.isEmpty)
  }

  @Test func `the mark is in the index before anything is removed`() async throws {
    let world = try World()
    _ = try await world.vault.signOut("work")
    #expect(world.index.written.withLock { $0.map { $0.map(\.phase) } } == [[.signingOut], []])
  }

  @Test func `a 401 at sign-out is followed by a refresh and asked again with the new token`() async throws {
    let world = try World()
    world.carrier.state.withLock { $0.endings = [401, 204] }
    world.carrier.next(.land(200, "ok 2 300"))
    let report = try await world.vault.signOut("work")
    #expect(report.isRevoked)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1", "at-2"])
    #expect(world.isEmpty && world.store.state.withLock { $0.saves } == 0)
  }

  @Test func `a 401 to a client that showed no token is not answered by a refresh, whose token would live on`()
    async throws
  {
    let world = try World()
    world.issuer.endsByName.withLock { $0 = true }
    world.carrier.state.withLock { $0.endings = [401, 204] }
    world.carrier.next(.land(200, "ok 2 300"))
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped)
    #expect(report.note == "the session at the issuer was not ended: status 401")
    #expect(world.carrier.sent == 0 && world.carrier.state.withLock { $0.ended }.count == 1)
  }

  @Test func `a 401 and no refresh is not called ended`() async throws {
    let world = try World()
    world.carrier.state.withLock { $0.endings = [401] }
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped && report.note != nil)
    #expect(world.isEmpty)
  }

  @Test func `I1 an issuer that is away keeps nothing from being wiped`() async throws {
    let world = try World()
    world.carrier.state.withLock { $0.isAway = true }
    let report = try await world.vault.signOut("work")
    #expect(!report.isRevoked && report.isWiped)
    #expect(world.isEmpty)
  }

  @Test func `a locked store leaves the mark and hides the account`() async throws {
    let world = try World()
    world.store.set(.locked)
    let report = try await world.vault.signOut("work")
    #expect(!report.isWiped)
    #expect(world.index.written.withLock { $0.last?.map(\.phase) } == [.signingOut])
    await #expect(throws: VaultError.unknownAccount("work")) { try await world.token() }
  }

  @Test func `an unlock finishes what a locked store left`() async throws {
    let world = try World()
    world.store.set(.locked)
    _ = try await world.vault.signOut("work")
    try await world.vault.unlock(nil, passphrase: nil)
    await world.until { world.isEmpty }
    #expect(world.isEmpty)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1"])
  }

  @Test func `a start does not wait for one account before it goes on with the next`() async throws {
    let world = try World(phase: .pending, hasHome: true)
    world.leaveSending(isFlying: true)
    let resuming = Task { await world.vault.resume() }
    await world.until { await world.vault.accounts.map(\.name) == ["home"] }
    #expect(await world.vault.accounts.map(\.name) == ["home"])
    world.journal.comeHome(world.account.id, with: nil)
    await resuming.value
  }

  @Test func `I3 a start finishes a sign-out that was begun`() async throws {
    let world = try World(phase: .signingOut)
    await #expect(throws: VaultError.unknownAccount("work")) { try await world.token() }
    await world.vault.resume()
    #expect(world.isEmpty)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-1"])
  }

  @Test func `I2 tokens that land after sign-out began are revoked and never stored`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let leaving = Task { try await world.vault.signOut("work") }
    await #expect(throws: VaultError.unknownAccount("work")) { try await asking.value }
    world.carrier.openGate()
    #expect(try await leaving.value.isRevoked)
    #expect(world.carrier.state.withLock { $0.ended } == ["at-2"])
    #expect(world.isEmpty && world.store.state.withLock { $0.saves } == 0)
  }

  @Test func `I2 sign-out does not wait for what a busy issuer asks`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gatedBusy(retryAfter: 3600))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let leaving = Task { try await world.vault.signOut("work") }
    await #expect(throws: VaultError.unknownAccount("work")) { try await asking.value }
    world.carrier.openGate()
    await world.until { world.isEmpty }
    #expect(world.isEmpty)
    world.clock.advance(by: .seconds(7200))
    #expect(try await leaving.value.isWiped)
  }

  @Test func `sign-out ends the waiting for a fate`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending()
    _ = try await world.token()
    await world.clock.sleepers(1)
    #expect(try await world.vault.signOut("work").isWiped)
    #expect(world.isEmpty)
  }

  @Test func `tokens that only the journal has are revoked too`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    world.store.set(.storage("no space left on device"))
    world.carrier.openGate()
    _ = try await asking.value
    await world.clock.sleepers(1)
    _ = try await world.vault.signOut("work")
    #expect(world.carrier.state.withLock { $0.ended } == ["at-2"])
  }

  @Test func `a second sign-out joins the first`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let session = try await world.vault.session("work")
    let first = Task { await session.signOut() }
    await #expect(throws: VaultError.self) { try await asking.value }
    let second = Task { await session.signOut() }
    world.carrier.openGate()
    #expect(await first.value == second.value)
    #expect(world.carrier.state.withLock { $0.ended.count } == 1)
  }

  @Test func `an index that cannot be written leaves the account as it was`() async throws {
    let world = try World()
    world.index.trouble.withLock { $0 = .storage("no space left on device") }
    await #expect(throws: VaultError.storage(account: nil, message: "no space left on device")) {
      try await world.vault.signOut("work")
    }
    #expect(text(try await world.token().accessToken) == "at-1")
  }

  @Test func `a name that the index does not forget is forgotten later`() async throws {
    let world = try World()
    world.index.refuseAfter(1, .storage("no space left on device"))
    let report = try await world.vault.signOut("work")
    #expect(!report.isWiped && report.note?.contains("name") == true)
    world.index.trouble.withLock { $0 = nil }
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(2))
    await world.until { world.isEmpty }
    #expect(world.isEmpty)
  }
}

extension World {
  /// Whether nothing of any account is left.
  var isEmpty: Bool {
    store.state.withLock { $0.kept.isEmpty } && journal.files.withLock { $0.isEmpty }
      && index.written.withLock { $0.last?.isEmpty ?? false }
  }
}
