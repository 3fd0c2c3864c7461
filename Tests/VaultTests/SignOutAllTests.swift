import Secrets
import Synchronization
import Testing
import Time
import Vault

@Suite struct SignOutAllTests {
  private func isWiped(_ store: MemoryStore) -> Bool { store.state.withLock { $0.kept.isEmpty } }

  @Test func `everybody is signed out, and nothing is left`() async throws {
    let world = try World(hasHome: true)
    let reports = try await world.vault.signOutAll()
    #expect(reports.map(\.account) == ["work", "home"])
    #expect(reports.allSatisfy { $0.isRevoked && $0.isWiped && $0.note == nil })
    #expect(world.carrier.state.withLock { $0.ended.count } == 2)
    #expect(world.isEmpty && isWiped(world.sealed))
  }

  @Test func `with nobody signed in there is nothing to say`() async throws {
    let world = try World()
    _ = try await world.vault.signOut("work")
    #expect(try await world.vault.signOutAll().isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an account in mid-refresh keeps no other from being signed out`() async throws {
    let world = try World(hasHome: true)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let leaving = Task { try await world.vault.signOutAll() }
    await world.until { isWiped(world.sealed) }
    #expect(isWiped(world.sealed) && !isWiped(world.store))
    world.carrier.openGate()
    #expect(try await leaving.value.allSatisfy(\.isWiped))
    await #expect(throws: VaultError.unknownAccount("work")) { try await asking.value }
    #expect(isWiped(world.store))
  }

  @Test func `a locked store keeps its own account's mark, and is said of it alone`() async throws {
    let world = try World(hasHome: true)
    world.store.set(.locked)
    let reports = try await world.vault.signOutAll()
    #expect(reports.map(\.isWiped) == [false, true])
    #expect(world.index.written.withLock { $0.last?.map(\.account.name) } == ["work"])
    #expect(world.index.written.withLock { $0.last?.map(\.phase) } == [.signingOut])
    #expect(isWiped(world.sealed))
  }

  @Test func `no caller gets a token once it began`() async throws {
    let world = try World(hasHome: true)
    _ = try await world.token()
    _ = try await world.vault.signOutAll()
    for name in ["work", "home"] {
      await #expect(throws: VaultError.unknownAccount(name)) {
        try await world.vault.accessToken(name, AccessRequest(deadline: world.clock.now))
      }
    }
  }

  @Test func `an index that cannot be written leaves everybody signed in`() async throws {
    let world = try World(hasHome: true)
    world.index.trouble.withLock { $0 = .storage("no space left on device") }
    await #expect(throws: VaultError.storage(account: nil, message: "no space left on device")) {
      try await world.vault.signOutAll()
    }
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(!isWiped(world.sealed))
  }
}
