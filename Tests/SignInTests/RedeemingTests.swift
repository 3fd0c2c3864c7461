import Secrets
import SignIn
import Synchronization
import Testing
import Time
import Vault

/// What becomes of a code: failures, renewals, somebody else, and a daemon that dies in between.
@Suite struct RedeemingTests {
  @Test(arguments: [
    CodeCarrier.Fate.land(400, ""), .lost, .land(200, "<html>"),
  ])
  func `a code that brings no tokens leaves nothing in store, journal and index`(_ fate: CodeCarrier.Fate) async throws
  {
    let office = try Office()
    office.carrier.next(fate)
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    let error = await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(error?.failure == .refused)
    #expect(office.shelf.isEmpty && office.carrier.sent == ["c"])
  }

  @Test func `B7 a code of which nothing was sent is tried three times`() async throws {
    let office = try Office()
    office.carrier.next(.refused, .refused, .land(200, "ok 1 300"))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt).account.name }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    for seconds in [1, 2] {
      // The sign-in's own ten minutes are one sleeper, the pause is another.
      await office.clock.sleepers(2)
      office.clock.advance(by: .seconds(seconds))
    }
    #expect(try await waiting.value == "work")
    #expect(office.carrier.sent == ["c"])
  }

  @Test func `B8 a code that was turned away is sent again after what was asked`() async throws {
    let office = try Office()
    office.carrier.next(.tooMany(retryAfter: 20), .land(200, "ok 1 300"))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt).account.name }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    await office.clock.sleepers(2)
    #expect(office.clock.nextDue == office.clock.now + .seconds(20))
    office.clock.advance(by: .seconds(20))
    #expect(try await waiting.value == "work")
    #expect(office.carrier.sent == ["c", "c"])
  }

  @Test(arguments: [([21], 21), ([.max], 3600), ([1, -1, 1], 5)] as [([Int64], Int)])
  func `B8 a code that would be too old by then is given up and leaves nothing`(
    _ asked: [Int64], _ told: Int
  ) async throws {
    let office = try Office()
    for seconds in asked { office.carrier.next(.tooMany(retryAfter: seconds)) }
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt).account.name }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    for _ in asked.dropFirst() {
      await office.clock.sleepers(2)
      office.clock.advance(by: .seconds(2))
    }
    await #expect(throws: VaultError.temporary(account: "work", message: "too many requests", retryAfter: told)) {
      try await waiting.value
    }
    #expect(office.shelf.isEmpty && office.carrier.sent.count == asked.count)
  }

  @Test(arguments: [IssuerError.refused("wrong audience"), .configuration("nobody says who signed in")])
  func `tokens that fail their checks make no account, and their session is ended`(_ why: IssuerError) async throws {
    let office = try Office()
    office.issuer.state.withLock { $0.verdict = why }
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(office.carrier.ended == ["at-1"] && office.shelf.isEmpty)
  }

  @Test func `the same person renews and the old record is wiped`() async throws {
    let office = try Office()
    let old = try await office.signIn("ada", as: "work", 1)
    let new = try await office.signIn("ada", as: "work", 2)
    #expect(!new.isNew && new.account.name == "work" && new.account.id != old.account.id)
    #expect(office.shelf.index.map(\.account.id) == [new.account.id])
    #expect(office.shelf.state.withLock { Array($0.kept.keys) } == [new.account.id])
    #expect(try await office.token() == "at-2")
    #expect(office.carrier.ended == ["at-1"])
  }

  @Test func `the same person under no name renews the account that is there`() async throws {
    let office = try Office()
    _ = try await office.signIn("ada", as: "work", 1)
    let new = try await office.signIn("ada", as: nil, 2)
    #expect(!new.isNew && new.account.name == "work")
    #expect(office.shelf.index.count == 1)
  }

  @Test func `another person under no name is another account`() async throws {
    let office = try Office()
    _ = try await office.signIn("ada", as: nil, 1)
    let other = try await office.signIn("bob", as: nil, 2)
    #expect(other.isNew && other.account.name == "test-2")
    #expect(try await office.token("test") == "at-1")
    #expect(try await office.token("test-2") == "at-2")
  }

  @Test func `somebody else is refused, the old account is intact and the new session is ended`() async throws {
    let office = try Office()
    let old = try await office.signIn("ada", as: "work", 1)
    let error = await #expect(throws: VaultError.self) { try await office.signIn("bob", as: "work", 2) }
    #expect(error?.failure == .wrongPerson)
    #expect(office.carrier.ended == ["at-2"])
    #expect(office.shelf.index.map(\.account.id) == [old.account.id])
    #expect(office.shelf.state.withLock { Array($0.kept.keys) } == [old.account.id])
    #expect(try await office.token() == "at-1")
  }

  @Test func `where the issuer does not say who it is, a named account is replaced and no other`() async throws {
    let office = try Office()
    _ = try await office.signIn("", as: "work", 1)
    let other = try await office.signIn("", as: nil, 2)
    #expect(other.isNew && other.account.name == "test")
    let again = try await office.signIn("", as: "work", 3)
    #expect(!again.isNew && again.account.name == "work")
    #expect(try await office.token() == "at-3")
    #expect(try await office.token("test") == "at-2")
  }

  @Test func `a failed renewal leaves the old account as it was`() async throws {
    let office = try Office()
    let old = try await office.signIn("ada", as: "work", 1)
    office.carrier.next(.land(400, ""))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(office.shelf.index.map(\.account.id) == [old.account.id])
    #expect(try await office.token() == "at-1")
  }

  @Test func `C1 what landed before the daemon died becomes an account without another request`() async throws {
    let office = try Office()
    office.carrier.next(.landUnheard("ok 1 300"))
    let opened = try await office.begin()
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(try await next.token() == "at-1")
    #expect(next.shelf.index.map(\.phase) == [.signedIn])
    #expect(next.carrier.sent == [])
    office.carrier.bury()
  }

  @Test func `C1 what landed for somebody else does not replace the account that was to be renewed`() async throws {
    let office = try Office()
    _ = try await office.signIn("ada", as: "work", 1)
    office.issuer.state.withLock { $0.person = "bob" }
    office.carrier.next(.landUnheard("ok 2 300"))
    let opened = try await office.begin()
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(next.shelf.index.map(\.account.name) == ["work"] && next.carrier.ended == ["at-2"])
    #expect(try await next.token() == "at-1")
    office.carrier.bury()
  }

  @Test func `keys that are away after the code was taken cost no second sign-in`() async throws {
    let office = try Office()
    let waiting = try await office.signInWithoutKeys()
    office.issuer.state.withLock { $0.verdict = nil }
    office.clock.advance(by: .seconds(6))
    #expect(try await waiting.value.account.name == "work")
    #expect(office.carrier.sent == ["c"] && office.carrier.ended == [])
  }

  @Test func `keys that stay away end the sign-in and its session while the caller waits`() async throws {
    let office = try Office()
    let waiting = try await office.signInWithoutKeys()
    for _ in 1..<5 {
      office.clock.advance(by: .seconds(6))
      await office.clock.sleepers(2)
    }
    office.clock.advance(by: .seconds(6))
    await #expect(throws: VaultError.temporary(account: "work", message: "no keys", retryAfter: 5)) {
      try await waiting.value
    }
    #expect(office.carrier.ended == ["at-1"] && office.shelf.isEmpty)
    office.issuer.state.withLock { $0.verdict = nil }
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(next.shelf.isEmpty)
  }

  @Test func `keys that are away when a dead daemon's sign-in is taken over are asked for again`() async throws {
    let office = try Office()
    defer { office.carrier.bury() }
    let next = try await office.diedWithoutKeys()
    next.issuer.state.withLock { $0.verdict = nil }
    next.clock.advance(by: .seconds(2))
    while next.shelf.index.map(\.phase) != [.signedIn] { await Task.yield() }
    #expect(try await next.token() == "at-1")
  }

  @Test func `a dead daemon's sign-in that nobody can check for five minutes is ended`() async throws {
    let office = try Office()
    defer { office.carrier.bury() }
    let next = try await office.diedWithoutKeys()
    next.clock.advance(by: .seconds(300))
    while !next.shelf.isEmpty { await Task.yield() }
    #expect(next.carrier.ended == ["at-1"])
  }

  @Test func `a sign-in of which nothing landed is discarded at the next start`() async throws {
    let office = try Office()
    _ = try await office.begin()
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(next.shelf.isEmpty && next.carrier.sent == [])
  }

  @Test func `a sign-in under way is no account for anybody`() async throws {
    let office = try Office()
    _ = try await office.begin()
    await #expect(throws: VaultError.unknownAccount("work")) { try await office.token() }
    #expect(await office.vault.list().isEmpty)
  }
}

extension Office {
  /// A sign-in whose tokens came and cannot be checked now.
  fileprivate func signInWithoutKeys() async throws -> Task<SignInResult, any Error> {
    issuer.state.withLock { $0.verdict = .temporary("no keys") }
    carrier.next(.land(200, "ok 1 300"))
    let opened = try await begin()
    let waiting = Task { try await desk.outcome(opened.attempt) }
    _ = await listener?.come("code=c&state=\(opened.state)")
    // The sign-in's own ten minutes are one sleeper, the pause is another.
    await clock.sleepers(2)
    return waiting
  }

  /// The next daemon, after the tokens came and this one died; it cannot check them now and waits for a while.
  fileprivate func diedWithoutKeys() async throws -> Office {
    issuer.state.withLock { $0.verdict = .temporary("no keys") }
    carrier.next(.landUnheard("ok 1 300"))
    let opened = try await begin()
    _ = await listener?.come("code=c&state=\(opened.state)")
    await carrier.landedUnheard()
    let next = try Office(after: self)
    await next.vault.resume()
    // The sign-in's own ten minutes are one sleeper, the next try is another.
    await clock.sleepers(2)
    return next
  }
}
