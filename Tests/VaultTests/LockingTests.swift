import Secrets
import Synchronization
import Testing
import Time
import Vault

@Suite struct LockingTests {
  @Test func `a locked vault serves nobody and has forgotten its tokens and keys`() async throws {
    let world = try World()
    _ = try await world.token()
    await world.vault.lock()
    await #expect(throws: VaultError.locked(account: "work")) { try await world.token() }
    #expect(await world.vault.list().first?.generation == nil)
    #expect(world.store.state.withLock { $0.forgets } == 1)
  }

  @Test func `the fast path is locked too`() async throws {
    let world = try World()
    _ = try await world.token()
    await world.vault.lock()
    let ready = await world.vault.ready("work", AccessRequest(deadline: world.clock.now))
    guard case .failure(.locked) = ready else {
      Issue.record("expected locked, got \(ready)")
      return
    }
  }

  @Test(arguments: [StoreError.unavailable("no service"), .storage("no session bus"), .locked, .dismissed])
  func `without an account no keyring keeps anybody locked`(_ error: StoreError) async throws {
    let world = try World()
    _ = try await world.vault.signOut("work")
    world.store.refuseUnlock(error)
    await world.vault.lock()
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(await !world.vault.isLocked)
  }

  @Test func `without an account a wrong passphrase is told all the same`() async throws {
    let world = try World()
    _ = try await world.vault.signOut("work")
    world.sealed.refuseUnlock(.wrongPassphrase)
    await world.vault.lock()
    let asking = Task { try await world.vault.unlock(nil, passphrase: secret("guess")) }
    await world.clock.sleepers(1)
    await world.wind()
    await #expect(throws: VaultError.self) { try await asking.value }
    #expect(await world.vault.isLocked)
  }

  @Test(arguments: [StoreError.unavailable("no service"), .storage("no session bus")])
  func `with an account in it a keyring that is not there does`(_ error: StoreError) async throws {
    let world = try World()
    world.store.refuseUnlock(error)
    await world.vault.lock()
    await #expect(throws: VaultError.self) { try await world.vault.unlock(nil, passphrase: nil) }
    #expect(await world.vault.isLocked)
  }

  @Test func `an account that was found locked is shown as it is after the unlock`() async throws {
    let world = try World()
    world.store.set(.locked)
    await #expect(throws: VaultError.locked(account: "work")) { try await world.token() }
    #expect(await world.vault.list().first?.state == .locked)
    try await world.vault.unlock("work", passphrase: nil)
    #expect(await world.vault.list().first?.state == .signedIn)
    #expect(world.store.state.withLock { $0.loads } == 1)
  }

  @Test func `an account whose sealed file is locked is shown so before anybody asked for it`() async throws {
    let world = try World(hasHome: true)
    world.sealed.set(.locked)
    #expect(await world.vault.list().map(\.state) == [.signedIn, .locked])
    try await world.vault.unlock("home", passphrase: secret("right"))
    #expect(await world.vault.list().map(\.state) == [.signedIn, .signedIn])
    #expect(world.sealed.state.withLock { $0.loads } == 0)
  }

  @Test func `after unlock the tokens are read from the store again`() async throws {
    let world = try World()
    _ = try await world.token()
    await world.vault.lock()
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(world.store.state.withLock { $0.loads } == 2)
    #expect(world.carrier.sent == 0)
  }

  @Test func `locking lets a flight end and its answer be stored`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let locking = Task { await world.vault.lock() }
    await world.until { await world.vault.isLocked }
    world.carrier.openGate()
    await locking.value
    _ = try? await asking.value
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a flight that hangs keeps no other account's keys, and the lock only for a while`() async throws {
    let world = try World(hasHome: true)
    let request = AccessRequest(deadline: world.clock.now + .seconds(600))
    _ = try await world.vault.accessToken("home", request)
    let home = try await world.vault.session("home")
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 600) }
    await world.carrier.atGate()
    let locking = Task { await world.vault.lock() }
    await world.until { await home.identity == nil }
    #expect(await home.identity == nil)
    #expect(world.store.state.withLock { $0.forgets } == 0)
    // The caller's deadline, and the lock's.
    await world.clock.sleepers(2)
    world.clock.advance(by: .seconds(3))
    await locking.value
    #expect(world.store.state.withLock { $0.forgets } == 1)
    // Unlocked and locked again while it still hangs: nothing is lost by it, and it is sent once.
    try await world.vault.unlock(nil, passphrase: nil)
    let again = Task { await world.vault.lock() }
    await world.until { await world.vault.isLocked }
    world.carrier.openGate()
    await again.value
    _ = try? await asking.value
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 3 300"))
    #expect(text(try await world.token().accessToken) == "at-3")
  }

  @Test func `locking does not wait for a store that refuses and loses nothing by it`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    world.store.set(.locked)
    world.carrier.openGate()
    _ = try await asking.value
    await world.clock.sleepers(1)
    let locking = Task { await world.vault.lock() }
    await world.until { world.store.state.withLock { $0.forgets } == 1 }
    #expect(world.store.state.withLock { $0.forgets } == 1)
    world.store.set(nil)
    world.clock.advance(by: .seconds(120))
    await locking.value
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test func `locking does not wait for the fate of a lost answer`() async throws {
    let world = try World(policy: .unknown)
    world.leaveSending()
    _ = try await world.token()
    await world.clock.sleepers(1)
    let locking = Task { await world.vault.lock() }
    await world.until { world.store.state.withLock { $0.forgets } == 1 }
    #expect(world.store.state.withLock { $0.forgets } == 1)
    world.clock.advance(by: .seconds(3600))
    await locking.value
  }

  @Test func `a fate that was open when the vault was locked is still open after unlock`() async throws {
    let world = try World()
    world.leaveSending()
    world.carrier.state.withLock { $0.sessionStatus = 401 }
    _ = try await world.token()
    await world.clock.sleepers(1)
    let locking = Task { await world.vault.lock() }
    await world.until { world.store.state.withLock { $0.forgets } == 1 }
    await locking.value
    try await world.vault.unlock(nil, passphrase: nil)
    _ = try await world.token()
    await world.wind()
    await world.settled(.signInRequired)
    await #expect(throws: VaultError.signInRequired(account: "work", .lost)) { try await world.token() }
    #expect(world.carrier.sent == 0)
  }

  @Test func `a prompt that is dismissed keeps the vault locked`() async throws {
    let world = try World()
    await world.vault.lock()
    world.store.set(.locked)
    world.store.refuseUnlock(.dismissed)
    await #expect(throws: VaultError.denied(account: nil, message: "the prompt was dismissed")) {
      try await world.vault.unlock(nil, passphrase: nil)
    }
    #expect(await world.vault.isLocked)
  }

  @Test func `B8 draining does not wait for what a busy issuer asks`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gatedBusy(retryAfter: 3600))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let events = world.vault.hub.watch()
    let draining = Task { await world.vault.drain() }
    await #expect(throws: VaultError.self) { try await asking.value }
    world.carrier.openGate()
    // Only a drain that ended closes the hub.
    let ending = Task { for await _ in events {} }
    await world.until { world.clock.sleeperCount == 0 }
    #expect(world.clock.sleeperCount == 0)
    world.clock.advance(by: .seconds(7200))
    await draining.value
    await ending.value
  }

  @Test func `draining answers who waits, starts nothing more and keeps what a courier brings`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    let draining = Task { await world.vault.drain() }
    await #expect(throws: VaultError.temporary(account: "work", message: "the daemon is stopping", retryAfter: 1)) {
      try await asking.value
    }
    await #expect(throws: VaultError.temporary(account: "work", message: "the daemon is stopping", retryAfter: 1)) {
      try await world.token()
    }
    world.carrier.openGate()
    await draining.value
    let next = try World(after: world)
    #expect(text(try await next.token().accessToken) == "at-2")
    #expect(next.carrier.sent == 0)
  }
}
