import Exchange
import Secrets
import SignIn
import Synchronization
import Testing
import Time
import Vault

/// Beginning, pasting, joining and giving up.
@Suite struct OpeningTests {
  @Test func `a listener that still shows its last page gives way to the next sign-in`() async throws {
    let office = try Office()
    _ = try await office.signIn("ada", as: "work", 1)
    let first = try #require(office.listener)
    #expect(!first.isClosed)
    _ = try await office.begin()
    #expect(first.hasGivenWay && office.listener !== first)
  }

  @Test func `A7 a busy port is told before anything is stored`() async throws {
    let office = try Office()
    office.listeners.trouble.withLock { $0 = .signInFailed(.portBusy, message: "taken") }
    await #expect(throws: VaultError.signInFailed(.portBusy, message: "taken")) { try await office.begin() }
    #expect(office.shelf.state.withLock { $0.writes == 0 && $0.saves == 0 })
  }

  @Test func `a locked store is told before the browser opens`() async throws {
    let office = try Office()
    office.shelf.state.withLock { $0.availability = .locked }
    await #expect(throws: VaultError.locked(account: "work")) { try await office.begin() }
    #expect(office.shelf.isEmpty && office.listener?.isClosed == true)
  }

  @Test func `a store that keeps nothing is told before the browser opens`() async throws {
    let office = try Office()
    office.shelf.state.withLock { $0.saving = .storage("no space left on device") }
    await #expect(throws: VaultError.storage(account: "work", message: "no space left on device")) {
      try await office.begin()
    }
    #expect(office.shelf.isEmpty && office.listener?.isClosed == true)
  }

  @Test func `an issuer that cannot be read leaves nothing`() async throws {
    let office = try Office()
    office.issuer.state.withLock { $0.address = .temporary("no metadata") }
    await #expect(throws: VaultError.temporary(account: "work", message: "no metadata", retryAfter: 5)) {
      try await office.begin()
    }
    #expect(office.shelf.isEmpty && office.listener?.isClosed == true)
  }

  @Test(arguments: [
    ("https://app.example.test/callback", SignInFlow.loopback), (Office.redirect, .relay), (Office.redirect, .device),
  ])
  func `a flow that cannot be had is told before anything is stored`(_ redirect: String, _ flow: SignInFlow)
    async throws
  {
    let office = try Office()
    let error = await #expect(throws: VaultError.self) { try await office.begin(flow: flow, redirect: redirect) }
    #expect(error?.field == "flow" && office.shelf.isEmpty && office.listener == nil)
  }

  @Test func `a redirect by https is signed in at by relay and nobody listens`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let redirect = "https://app.example.test/callback"
    let opened = try await office.begin(flow: .relay, redirect: redirect)
    #expect(opened.flow == .relay && office.listener == nil)
    let address = secret("\(redirect)?code=c&state=\(opened.state)")
    try await office.desk.complete(opened.attempt, redirectedURL: address)
    _ = try await office.desk.outcome(opened.attempt)
    #expect(try await office.token() == "at-1")
  }

  @Test func `a pasted redirect signs in and nobody listens`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin(flow: .paste)
    #expect(office.listener == nil)
    let pasted = secret(" \(Office.redirect)?code=c&state=\(opened.state)\n")
    try await office.desk.complete(opened.attempt, redirectedURL: pasted)
    _ = try await office.desk.outcome(opened.attempt)
    #expect(try await office.token() == "at-1")
  }

  @Test(arguments: [
    "", "hello", "http://localhost:4711/callback", "http://localhost:4711/other?code=c&state=STATE",
    "http://localhost:4712/callback?code=c&state=STATE", "https://localhost:4711/callback?code=c&state=STATE",
    "http://evil.test/callback?code=c&state=STATE", "http://localhost:4711/callback?code=c&state=other",
    "http://localhost:4711/callback?code=c&code=d&state=STATE", "http://localhost:4711/callback?state=STATE",
    "http://localhost:4711/callback?code=c&state=STATE&iss=https://other.test",
  ])
  func `a paste that is malformed or leads elsewhere is refused and the right one still works`(
    _ paste: String
  ) async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin(flow: .paste)
    let parts = paste.split(separator: "STATE", omittingEmptySubsequences: false)
    let error = await #expect(throws: VaultError.self) {
      try await office.desk.complete(opened.attempt, redirectedURL: secret(parts.joined(separator: opened.state)))
    }
    #expect(error?.field == "redirectedUrl" && office.carrier.sent == [])
    let right = secret("\(Office.redirect)?code=c&state=\(opened.state)")
    try await office.desk.complete(opened.attempt, redirectedURL: right)
    _ = try await office.desk.outcome(opened.attempt)
  }

  @Test func `A2 a redirect that is pasted twice is redeemed once`() async throws {
    let office = try Office()
    office.carrier.next(.landUnheard("ok 1 300"))
    let opened = try await office.begin(flow: .paste)
    let pasted = secret("\(Office.redirect)?code=c&state=\(opened.state)")
    try await office.desk.complete(opened.attempt, redirectedURL: pasted)
    await office.carrier.landedUnheard()
    let error = await #expect(throws: VaultError.self) {
      try await office.desk.complete(opened.attempt, redirectedURL: pasted)
    }
    #expect(error?.field == "attempt" && office.carrier.sent == ["c"])
    office.carrier.bury()
  }

  @Test func `a sign-in that is given up ends for all and leaves nothing`() async throws {
    let office = try Office()
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    await office.desk.cancel(opened)
    let error = await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(error?.failure == .cancelled)
    #expect(office.listener?.isClosed == true && office.shelf.isEmpty)
  }

  @Test func `a caller that goes away ends nothing`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    waiting.cancel()
    await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(await office.listener?.come("code=c&state=\(opened.state)") == .accepted)
    _ = try await office.desk.outcome(opened.attempt)
  }

  @Test func `who joins gets the outcome and no address`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    let joined = try await office.begin()
    #expect(joined.attempt == opened.attempt && joined.url == nil)
    let waiting = [opened, joined].map { opened in
      Task { try await office.desk.outcome(opened.attempt).account.id }
    }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    #expect(try await waiting[0].value == waiting[1].value)
    #expect(office.listeners.all.withLock { $0.count } == 1)
  }

  @Test func `the ninth sign-in at once has to come back later`() async throws {
    let office = try Office()
    for number in 1...Vault.maximumPending { _ = try await office.begin("name-\(number)", flow: .paste) }
    let error = await #expect(throws: VaultError.self) { try await office.begin("one-more", flow: .paste) }
    guard case .temporary = error else {
      Issue.record("expected temporary, got \(String(describing: error))")
      return
    }
  }
}
