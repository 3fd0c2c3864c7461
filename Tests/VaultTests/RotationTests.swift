import Secrets
import Synchronization
import Testing
import Time
import Vault

@Suite struct RotationTests {
  @Test func `a fresh token is served without a request`() async throws {
    let world = try World()
    let grant = try await world.token()
    #expect(text(grant.accessToken) == "at-1")
    #expect(world.carrier.sent == 0)
  }

  @Test func `a due token is refreshed and the new generation is stored whole`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(250))
    world.carrier.next(.land(200, "ok 2 300"))
    let grant = try await world.token()
    #expect(text(grant.accessToken) == "at-2")
    #expect(grant.wasRefreshed)
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
  }

  @Test func `B1 a thousand callers at expiry cause one request and get the same token`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<1000 { group.addTask { text(try await world.token().accessToken) } }
      await world.carrier.atGate()
      world.carrier.openGate()
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["at-2"])
    #expect(world.carrier.sent == 1)
  }

  @Test(arguments: [1, 3, 4])
  func `an answer that landed and cannot be read at once is not asked for again`(_ failures: Int) async throws {
    let world = try World()
    world.clock.advance(by: .seconds(250))
    world.carrier.next(.land(200, "ok 2 300"))
    world.journal.unreadable.withLock { $0 = failures }
    let asking = Task { try await world.token(timeout: 300) }
    for _ in 0..<min(failures, 3) {
      // Beside the caller's deadline.
      await world.clock.sleepers(2)
      world.clock.advance(by: .seconds(1))
    }
    _ = try await asking.value
    await world.stored(generation: 2)
    #expect(world.carrier.sent == 1)
  }

  @Test func `a caller that goes away takes nobody with it`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let first = Task { try await world.token() }
    await world.carrier.atGate()
    let second = Task { try await world.token() }
    first.cancel()
    await #expect(throws: VaultError.self) { try await first.value }
    world.carrier.openGate()
    #expect(text(try await second.value.accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test func `a refused connection is not sent and the living token is served`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(250))
    let grant = try await world.token()
    #expect(text(grant.accessToken) == "at-1")
    #expect(world.carrier.sent == 0)
  }

  @Test func `a refused connection with a dead token is temporary and says when to come back`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    let error = await #expect(throws: VaultError.self) { try await world.token() }
    guard case .temporary(_, _, let retryAfter) = error else {
      Issue.record("expected temporary, got \(String(describing: error))")
      return
    }
    #expect(retryAfter >= 1)
  }

  @Test func `B13 invalid_grant is terminal and sends nothing more`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(400, ""))
    await #expect(throws: VaultError.signInRequired(account: "work", .refused)) { try await world.token() }
    await #expect(throws: VaultError.signInRequired(account: "work", .refused)) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }

  @Test func `B15 a misconfiguration keeps the tokens`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(404, ""))
    let error = await #expect(throws: VaultError.self) { try await world.token() }
    guard case .misconfigured = error else {
      Issue.record("expected misconfigured, got \(String(describing: error))")
      return
    }
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-1")
  }

  @Test func `C4 when the intent cannot be written nothing is sent`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    world.journal.trouble.withLock { $0 = .storage("no space left on device") }
    let error = await #expect(throws: VaultError.self) { try await world.token() }
    #expect(error == .storage(account: "work", message: "no space left on device"))
    #expect(world.carrier.sent == 0)
  }

  @Test func `C5 a store that refuses after the answer delays nobody and gets the tokens later`() async throws {
    let world = try World()
    _ = try await world.token()
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token() }
    await world.carrier.atGate()
    world.store.set(.storage("no space left on device"))
    world.carrier.openGate()
    #expect(text(try await asking.value.accessToken) == "at-2")
    await world.clock.sleepers(1)
    world.store.set(nil)
    world.clock.advance(by: .seconds(120))
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
  }

  @Test func `a locked store answers locked and nothing is sent`() async throws {
    let world = try World()
    world.store.set(.locked)
    await #expect(throws: VaultError.locked(account: "work")) { try await world.token() }
    world.store.set(nil)
    #expect(text(try await world.token().accessToken) == "at-1")
  }

  @Test func `a forced refresh happens at most once in the force interval`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"))
    #expect(try await world.token(force: true).wasRefreshed)
    let second = try await world.token(force: true)
    #expect(!second.wasRefreshed)
    #expect(second.hindrance == nil)
    #expect(text(second.accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test func `a forced refresh that failed says why, until one succeeds`() async throws {
    let world = try World()
    world.carrier.next(.refused, .land(200, "ok 2 300"))
    let first = try await world.token(force: true)
    #expect(text(first.accessToken) == "at-1")
    #expect(first.hindrance == .temporary(account: "work", message: "connection refused", retryAfter: 2))
    #expect(await world.vault.list().first?.detail == "connection refused")
    world.clock.advance(by: .seconds(31))
    let second = try await world.token(force: true)
    #expect(second.wasRefreshed && second.hindrance == nil)
    #expect(await world.vault.list().first?.detail == nil)
  }

  @Test func `a forced refresh that nothing can bring says so`() async throws {
    let world = try World(refreshes: false)
    guard case .denied = try await world.token(force: true).hindrance else {
      Issue.record("nothing said why")
      return
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a forced refresh that takes too long says so`() async throws {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token(force: true, timeout: 5) }
    await world.carrier.atGate()
    await world.wind()
    let grant = try await asking.value
    #expect(text(grant.accessToken) == "at-1")
    #expect(
      grant.hindrance
        == .temporary(account: "work", message: "no answer within the time asked for", retryAfter: 5))
    world.carrier.openGate()
  }

  @Test func `nobody who forced nothing hears of it`() async throws {
    let world = try World()
    world.carrier.next(.refused)
    _ = try await world.token(force: true)
    #expect(try await world.token().hindrance == nil)
  }

  @Test func `asking for more life than the issuer grants is not a refresh a call`() async throws {
    let world = try World(life: 30)
    world.carrier.next(.land(200, "ok 2 30"))
    for _ in 0..<5 {
      let grant = try await world.token(minimum: 600)
      #expect(grant.isShorter)
    }
    #expect(world.carrier.sent == 0)
  }

  @Test func `a token without life does not become a refresh a call`() async throws {
    let world = try World(life: 0)
    world.clock.advance(by: .seconds(5))
    world.carrier.next(.land(200, "ok 2 0"))
    await #expect(throws: VaultError.self) { try await world.token() }
    await #expect(throws: VaultError.self) { try await world.token() }
    #expect(world.carrier.sent == 1)
  }

  @Test func `tokens that fail their checks are stored and never served`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.issuer.verdict.withLock { $0 = .refused("wrong audience") }
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .unverified)) { try await world.token() }
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
  }

  @Test func `keys that cannot be had now are asked for again`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(301))
    world.issuer.verdict.withLock { $0 = .temporary("no keys") }
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.self) { try await world.token() }
    world.issuer.verdict.withLock { $0 = nil }
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test func `without a refresh token the account ends with its access token`() async throws {
    let world = try World(refreshes: false)
    world.clock.advance(by: .seconds(250))
    #expect(text(try await world.token().accessToken) == "at-1")
    world.clock.advance(by: .seconds(60))
    await #expect(throws: VaultError.signInRequired(account: "work", .cannotRenew)) { try await world.token() }
  }

  @Test func `a caller whose time is up gets the living token`() async throws {
    let world = try World()
    world.clock.advance(by: .seconds(250))
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 5) }
    await world.carrier.atGate()
    await world.clock.sleepers(1)
    world.clock.advance(by: .seconds(6))
    #expect(text(try await asking.value.accessToken) == "at-1")
    world.carrier.openGate()
  }
}

extension World {
  /// Returns when the store holds `generation`: the storing runs beside the answer.
  func stored(generation: UInt64) async {
    for _ in 0..<100_000 {
      if (try? stored()?.generation) == generation { return }
      await Task.yield()
    }
  }
}
