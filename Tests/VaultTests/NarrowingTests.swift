import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// Tokens that reach less than was granted, beside the account's own.
@Suite struct NarrowingTests {
  private static let mail = Narrowing(scopes: ["mail"], resource: nil)
  private static let files = Narrowing(scopes: [], resource: "https://files.test/")

  @Test func `a narrowed token comes by a rotation and leaves the account's own token alone`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300 mail"))
    let grant = try await world.token(Self.mail)
    #expect(text(grant.accessToken) == "at-2")
    #expect(grant.scope == "mail")
    #expect(grant.wasRefreshed)
    #expect(world.issuer.narrowings.withLock { $0 } == [Self.mail])
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.stored(generation: 2)
    let stored = try #require(try world.stored()?.tokens)
    #expect(text(stored.refreshToken) == "rt-2")
    #expect(text(stored.accessToken) == "at-1")
  }

  @Test func `it is cached for all who ask for the same, in any order`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    let first = try await world.token(Narrowing(scopes: ["mail", "files"], resource: nil))
    let second = try await world.token(Narrowing(scopes: ["files", "mail", "mail"], resource: nil))
    #expect(first.accessToken.isEqual(to: second.accessToken))
    #expect(second.scope == "files mail")
    #expect(!second.wasRefreshed)
    #expect(world.carrier.sent == 1)
  }

  @Test func `a crowd that wants the same causes one request, and who wants another waits for the lock`() async throws {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300"), .land(200, "ok 3 300"))
    let crowd = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<200 { group.addTask { text(try await world.token(Self.mail).accessToken) } }
      await world.carrier.atGate()
      // The account's own token needs no refresh: nobody waits for it.
      #expect(text(try await world.token().accessToken) == "at-1")
      group.addTask { text(try await world.token(Self.files).accessToken) }
      world.carrier.openGate()
      return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(crowd == ["at-2": 200, "at-3": 1])
    #expect(world.carrier.sent == 2)
  }

  @Test func `who waited for the account's own token behind a narrowed one gets it`() async throws {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300"), .land(200, "ok 3 300"))
    let narrowed = Task { try await world.token(Self.mail) }
    await world.carrier.atGate()
    let forced = Task { try await world.token(force: true) }
    // Whether it comes before or behind the gate: it never takes the narrowed token for its own.
    for _ in 0..<100 { await Task.yield() }
    world.carrier.openGate()
    #expect(text(try await narrowed.value.accessToken) == "at-2")
    let own = try await forced.value
    #expect(text(own.accessToken) == "at-3")
    #expect(own.generation == 3)
    #expect(text(try await world.token(Self.mail).accessToken) == "at-2")
  }

  @Test func `a daemon that died after the answer landed goes on with the new refresh token and the old access token`()
    async throws
  {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300 mail"))
    let asking = Task { try await world.token(Self.mail) }
    await world.carrier.atGate()
    world.store.set(.storage("the disk is gone"))
    world.carrier.openGate()
    _ = try await asking.value
    #expect(try world.stored()?.generation == 1)
    world.store.set(nil)
    let next = try World(after: world)
    #expect(text(try await next.token().accessToken) == "at-1")
    await next.stored(generation: 2)
    #expect(text(try next.stored()?.tokens?.refreshToken) == "rt-2")
    #expect(next.carrier.sent == 0)
    next.carrier.next(.land(200, "ok 3 300 mail"))
    #expect(text(try await next.token(Self.mail).accessToken) == "at-3")
  }

  @Test func `an issuer that is not known to narrow is not asked to`() async throws {
    let world = try World(narrows: false)
    for narrowing in [Self.mail, Self.files] {
      await #expect(throws: VaultError.self) { try await world.token(narrowing) }
    }
    #expect(world.carrier.sent == 0)
    #expect(text(try await world.token().accessToken) == "at-1")
  }

  @Test func `a scope that was not granted is refused without a request`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300 mail files"))
    _ = try await world.token(force: true)
    await #expect(throws: VaultError.self) { try await world.token(Narrowing(scopes: ["admin"], resource: nil)) }
    #expect(world.carrier.sent == 1)
  }

  @Test func `what the issuer refuses is nobody else's trouble, and not asked again for a minute`() async throws {
    let world = try World()
    world.carrier.next(.land(404, ""), .land(200, "ok 2 300"), .land(200, "ok 3 300"))
    for _ in 0..<3 {
      await #expect(throws: VaultError.badRequest(field: "resource", message: "not found")) {
        try await world.token(Self.files)
      }
    }
    #expect(world.carrier.sent == 1)
    #expect(text(try await world.token(force: true).accessToken) == "at-2")
    world.clock.advance(by: .seconds(61))
    #expect(text(try await world.token(Self.files).accessToken) == "at-3")
  }

  @Test func `more than was asked for is not handed out, and the refresh token is kept`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300 mail admin"))
    let message = "the issuer granted admin beside what was asked for"
    await #expect(throws: VaultError.badRequest(field: "scopes", message: message)) {
      try await world.token(Self.mail)
    }
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    #expect(text(try await world.token().accessToken) == "at-1")
  }

  @Test(arguments: [
    ("odd 2 300", "what the issuer granted cannot be read"),
    ("ok 2 0", "the issuer granted an access token without life"),
    ("bare 2 0", "the issuer granted no access token that could be used"),
  ])
  func `an access token that is unfit is not handed out nor asked for again, and the session goes on`(
    _ body: String, _ why: String
  ) async throws {
    let world = try World()
    world.carrier.next(.land(200, body), .land(200, "ok 3 300"))
    for _ in 0..<3 {
      await #expect(throws: VaultError.badRequest(field: "scopes", message: why)) { try await world.token(Self.mail) }
    }
    #expect(world.carrier.sent == 1)
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    #expect(text(try await world.token().accessToken) == "at-1")
    #expect(text(try await world.token(force: true).accessToken) == "at-3")
  }

  @Test func `an answer that is found is not kept for what is asked for now`() async throws {
    let world = try World()
    _ = try await world.token()
    world.leaveSending(pad: world.carrier.answer(200, "ok 2 300 mail"), isNarrowed: true)
    world.carrier.next(.land(200, "ok 3 300"))
    await #expect(throws: VaultError.self) { try await world.token(Self.files) }
    await world.stored(generation: 2)
    #expect(world.carrier.sent == 0)
    #expect(text(try await world.token(Self.files).accessToken) == "at-3")
  }

  @Test func `what could not be checked is not kept for what is asked for then`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300 mail"), .land(200, "ok 3 300"))
    world.issuer.verdict.withLock { $0 = .temporary("no keys") }
    await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    world.issuer.verdict.withLock { $0 = nil }
    world.clock.advance(by: .seconds(60))
    #expect(text(try await world.token(Self.files).accessToken) == "at-3")
  }

  @Test func `whoever waits for the account's own token comes before all who want less`() async throws {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300"), .land(200, "ok 3 300"))
    let first = Task { try await world.token(Self.mail) }
    await world.carrier.atGate()
    // Each has the earliest deadline, for which the one timer is armed: so it is seen that it waits.
    var others: [Task<AccessGrant, any Error>] = []
    for timeout in (11...20).reversed() {
      let narrowing = Narrowing(scopes: [], resource: "https://files.test/\(timeout)")
      others.append(Task { try await world.token(narrowing, timeout: timeout) })
      await world.armed(timeout)
    }
    let own = Task { try await world.token(force: true, timeout: 10) }
    await world.armed(10)
    world.carrier.openGate()
    #expect(text(try await own.value.accessToken) == "at-3")
    _ = try await first.value
    for other in others { _ = try? await other.value }
  }

  @Test func `what fails its checks is not handed out`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    world.issuer.verdict.withLock { $0 = .refused("somebody else") }
    await #expect(throws: VaultError.signInRequired(account: "work", .unverified)) {
      try await world.token(Self.mail)
    }
  }

  @Test func `a refresh token that came with somebody else's ID token is never sent, after a restart neither`()
    async throws
  {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token()
    world.issuer.verdict.withLock { $0 = .refused("somebody else") }
    await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    #expect(try world.stored()?.generation == 1)
    let next = try World(after: world)
    next.issuer.verdict.withLock { $0 = .refused("somebody else") }
    await #expect(throws: VaultError.self) { try await next.token(force: true) }
    #expect(next.carrier.sent == 0)
  }

  @Test func `what cannot be checked now is checked before anything of it is used`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    world.issuer.verdict.withLock { $0 = .temporary("no keys") }
    await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    world.issuer.verdict.withLock { $0 = .refused("somebody else") }
    world.clock.advance(by: .seconds(60))
    await #expect(throws: VaultError.self) { try await world.token() }
    #expect(try world.stored()?.generation == 1)
    #expect(world.carrier.sent == 1)
  }

  @Test func `a token that is spent is not sent again while what came for it cannot be checked`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"), .land(200, "ok 4 300"))
    world.issuer.verdict.withLock { $0 = .temporary("no keys") }
    await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    // The account's own token runs out, and every pause between tries is over.
    for _ in 0..<6 {
      world.clock.advance(by: .seconds(3600))
      for force in [false, true] {
        await #expect(throws: VaultError.self) { try await world.token(force: force) }
      }
      await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    }
    #expect(world.carrier.sent == 1)
    world.issuer.verdict.withLock { $0 = nil }
    world.clock.advance(by: .seconds(3600))
    _ = try? await world.token()
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    #expect(text(try await world.token().accessToken) == "at-3")
  }

  @Test func `what is checked later is taken over then`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    world.issuer.verdict.withLock { $0 = .temporary("no keys") }
    await #expect(throws: VaultError.self) { try await world.token(Self.mail) }
    world.issuer.verdict.withLock { $0 = nil }
    world.clock.advance(by: .seconds(60))
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
  }

  @Test func `who asked for less never gets the account's own token when time is up`() async throws {
    let world = try World()
    world.carrier.next(.gated(200, "ok 2 300"))
    let asking = Task { try await world.token(Self.mail) }
    await world.carrier.atGate()
    world.clock.advance(by: .seconds(31))
    await #expect(throws: VaultError.self) { try await asking.value }
    world.carrier.openGate()
  }

  @Test func `nor when the answer is lost`() async throws {
    let world = try World()
    world.carrier.next(.lost, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(Self.mail) }
    let patient = Task { () -> String? in
      do { return text(try await asking.value.accessToken) } catch { return nil }
    }
    for _ in 0..<200 {
      await Task.yield()
      world.clock.advance(by: .seconds(1))
    }
    #expect(await patient.value != "at-1")
  }

  @Test func `a token that is due is refreshed, and one of short life is not asked for each time`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 60"), .land(200, "ok 3 60"))
    _ = try await world.token(Self.mail)
    for _ in 0..<10 { #expect(try await world.token(Self.mail, minimum: 3600).isShorter) }
    #expect(world.carrier.sent == 1)
    world.clock.advance(by: .seconds(59))
    #expect(text(try await world.token(Self.mail).accessToken) == "at-3")
  }

  @Test func `a token that a resource refused is dropped, once`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"))
    let refused = try await world.token(Self.mail).generation
    let session = try await world.vault.session("work")
    #expect(await session.reportRejected(generation: refused, narrowing: Self.mail))
    #expect(await !session.reportRejected(generation: refused, narrowing: Self.mail))
    #expect(text(try await world.token(Self.mail).accessToken) == "at-3")
    #expect(world.carrier.sent == 2)
  }

  @Test func `an own token that died with a narrowed refresh is reported by whatever generation it was handed out in`()
    async throws
  {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300 mail"), .land(200, "ok 3 300 mail"), .land(200, "ok 4 300"))
    let own = try await world.token().generation
    for narrowing in [Self.mail, Self.files] {
      _ = try await world.token(narrowing)
      await world.stored(generation: world.carrier.sent == 1 ? 2 : 3)
    }
    let session = try await world.vault.session("work")
    #expect(await !session.reportRejected(generation: own - 1))
    #expect(await session.reportRejected(generation: own))
    await world.stored(generation: 4)
    #expect(text(try await world.token().accessToken) == "at-4")
    for late in own...3 { #expect(await !session.reportRejected(generation: late)) }
  }

  @Test func `callers cannot make more refreshes than the limit`() async throws {
    let world = try World()
    for generation in 2..<40 { world.carrier.next(.land(200, "ok \(generation) 300")) }
    var made = 0
    for number in 0..<40 {
      let resource = Narrowing(scopes: [], resource: "https://files.test/\(number)")
      do {
        _ = try await world.token(resource)
        await world.stored(generation: UInt64(made + 2))
        made += 1
      } catch VaultError.temporary(_, _, let retryAfter) {
        #expect(retryAfter > 0)
      }
    }
    #expect(made == 30)
    #expect(world.carrier.sent == 30)
    world.clock.advance(by: .seconds(61))
    #expect(text(try await world.token(Self.mail).accessToken) == "at-32")
  }

  @Test func `locking forgets it`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"))
    _ = try await world.token(Self.mail)
    await world.stored(generation: 2)
    await world.vault.lock()
    try await world.vault.unlock(nil, passphrase: nil)
    #expect(text(try await world.token(Self.mail).accessToken) == "at-3")
  }
}

extension World {
  /// Returns when the timer of those who wait is armed for so many seconds from now.
  fileprivate func armed(_ seconds: Int) async {
    await until { self.clock.nextDue == self.clock.now + .seconds(seconds) }
  }

  /// Asks for a token that reaches less.
  func token(
    _ narrowing: Narrowing, minimum: Int = 0, timeout: Int = 30
  ) async throws(VaultError) -> AccessGrant {
    try await vault.accessToken(
      "work",
      AccessRequest(
        minimumLife: .seconds(minimum), deadline: clock.now + .seconds(timeout), narrowing: narrowing))
  }
}
