import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Device credentials: in memory only, asked for once for all, gone with the session.
@Suite struct MonitoringTests {
  private let world: World

  init() throws { world = try World(life: 7200) }

  private func say(_ answers: (Int, String)...) {
    world.carrier.state.withLock { $0.stepUps = answers.map { (status: $0.0, body: $0.1) } }
  }

  private var asked: Int { world.carrier.state.withLock { $0.stepUpTokens.count } }

  private func credential() async throws(VaultError) -> MonitoringGrant {
    try await world.vault.monitoringToken("work", deadline: world.clock.now + .seconds(30))
  }

  @Test func `it is kept until shortly before its end`() async throws {
    say((200, "m1 900"), (200, "m2 900"))
    let first = try await credential()
    #expect(text(first.token) == "m1" && first.expiresIn == 900 && first.account == "work")
    world.clock.advance(by: .seconds(840))
    let same = try await credential()
    #expect(text(same.token) == "m1" && same.expiresIn == 60 && asked == 1)
    world.clock.advance(by: .seconds(1))
    #expect(text(try await credential().token) == "m2")
    #expect(asked == 2)
  }

  @Test func `a crowd causes one question`() async throws {
    say((200, "m1 900"), (200, "m2 900"))
    _ = try await world.token()
    let crowd = (0..<500).map { _ in Task { text(try await self.credential().token) } }
    for caller in crowd { #expect(try await caller.value == "m1") }
    #expect(asked == 1)
  }

  @Test func `a sign-out forgets it`() async throws {
    say((200, "m1 900"))
    weak let kept = try await credential().token
    #expect(kept != nil)
    _ = try await world.vault.signOut("work")
    #expect(kept == nil)
    await #expect(throws: VaultError.unknownAccount("work")) { try await credential() }
    #expect(asked == 1)
  }

  @Test func `a lock forgets it`() async throws {
    say((200, "m1 900"), (200, "m2 900"))
    _ = try await credential()
    await world.vault.lock()
    await #expect(throws: VaultError.locked(account: "work")) { try await credential() }
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await credential().token) == "m2")
  }

  @Test func `one that comes after a lock is nobody's`() async throws {
    _ = try await world.token()
    world.carrier.state.withLock { $0.isHolding = true }
    say((200, "m1 900"), (200, "m2 900"))
    let asking = Task { try await self.credential() }
    while asked == 0 { await Task.yield() }
    await world.vault.lock()
    world.carrier.state.withLock { $0.isHolding = false }
    await #expect(throws: VaultError.self) { try await asking.value }
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await credential().token) == "m2")
  }

  @Test func `an issuer that has not enabled it says so, and is asked again`() async throws {
    say((503, ""), (200, "m1 900"))
    await #expect(throws: VaultError.monitoringUnavailable(account: "work")) { try await credential() }
    #expect(text(try await credential().token) == "m1")
  }

  @Test func `a token that is refused is replaced once`() async throws {
    world.carrier.next(.land(200, "ok 2 300"))
    say((401, ""), (200, "m1 900"))
    #expect(text(try await credential().token) == "m1")
    #expect(world.carrier.state.withLock { $0.stepUpTokens } == ["at-1", "at-2"])
    #expect(world.carrier.sent == 1)
  }

  @Test func `an issuer that has none says so`() async throws {
    let world = try World(isBare: true)
    let error = await #expect(throws: VaultError.self) {
      try await world.vault.monitoringToken("work", deadline: world.clock.now + .seconds(30))
    }
    guard case .unsupported(account: "work", _) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }
}
