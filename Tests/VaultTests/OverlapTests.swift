import Synchronization
import Testing
import Time
import Vault

/// What is done to a vault while something else is under way.
@Suite struct OverlapTests {
  private func plan(_ world: World, _ name: String) -> SignInPlan {
    SignInPlan(
      name: name, issuer: world.account.issuer, backend: .secretService, redirectURI: "http://localhost:1/callback",
      scopes: [], locales: [])
  }

  @Test func `changes of the index that come together are all kept`() async throws {
    let world = try World()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<5 {
        group.addTask { _ = try await world.vault.prepareSignIn(plan(world, "account-\(number)")) }
      }
      group.addTask { _ = try await world.vault.signOut("work") }
      try await group.waitForAll()
    }
    let names = world.index.written.withLock { $0.last ?? [] }.map(\.account.name).sorted()
    #expect(names == (0..<5).map { "account-\($0)" })
  }

  @Test func `unlocking leaves a sign-in alone that is under way`() async throws {
    let world = try World()
    let draft = try await world.vault.prepareSignIn(plan(world, "new"))
    await world.vault.resume()
    #expect(world.store.state.withLock { $0.kept[draft.account.id] } != nil)
    #expect(await world.vault.entries.contains { $0.account.id == draft.account.id })
  }

  @Test func `a sign-in that was let go is tidied up at the next unlock`() async throws {
    let world = try World()
    let draft = try await world.vault.prepareSignIn(plan(world, "new"))
    await world.vault.release(draft)
    await world.vault.resume()
    #expect(world.store.state.withLock { $0.kept[draft.account.id] } == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `locking does not wait until the fate of a refresh is known`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(215))
    world.carrier.next(.lost)
    _ = try await world.token()
    await world.clock.sleepers(1)
    await world.vault.lock()
    await #expect(throws: VaultError.locked(account: "work")) { try await world.token() }
  }

  @Test(.timeLimit(.minutes(1)))
  func `the fate of a refresh is found out after locking and unlocking`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(215))
    world.carrier.next(.lost)
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    _ = try await world.token()
    await world.clock.sleepers(1)
    await world.vault.lock()
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(16))
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }

  @Test func `callers that check the session together ask the issuer once`() async throws {
    let world = try World()
    let session = try await world.vault.session("work")
    let deadline = world.clock.now + .seconds(30)
    try await withThrowingTaskGroup(of: SessionCheck.self) { group in
      for _ in 0..<20 { group.addTask { try await session.checkSession(deadline: deadline) } }
      for try await check in group { #expect(check.isActive) }
    }
    #expect(world.carrier.state.withLock { $0.probes } == 1)
  }
}

extension OverlapTests {
  @Test func `the limit of sign-ins holds for those that come together`() async throws {
    let world = try World()
    let drafts = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          do {
            _ = try await world.vault.prepareSignIn(plan(world, "new-\(number)"))
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(drafts == Vault.maximumPending)
  }
}
