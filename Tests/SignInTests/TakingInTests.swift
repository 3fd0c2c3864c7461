import Secrets
import SignIn
import Synchronization
import Testing
import Vault

/// Whose account a sign-in becomes, when others come at the same time or nobody can tell whose one is.
@Suite struct TakingInTests {
  private let office: Office

  init() throws { office = try Office() }

  /// Lets the browser of an attempt come back to the listener at its port.
  private func come(_ opened: SignInDesk.Opened, _ number: Int, at place: Office? = nil, port: Int = 4711) async {
    let listeners = (place ?? office).listeners.all.withLock { $0 }
    let own = listeners.last { $0.request.authority == "localhost:\(port)" }
    _ = await own?.come("code=code-\(number)&state=\(opened.state)")
  }

  private func names(_ place: Office? = nil) -> [String] {
    (place ?? office).shelf.index.map(\.account.name).sorted()
  }

  @Test(.timeLimit(.minutes(1)))
  func `of two without a name that begin together each gets a name of its own`() async throws {
    office.issuer.state.withLock { $0.person = "" }
    office.carrier.next(.land(200, "ok 1 300"), .land(200, "ok 2 300"))
    async let one = office.begin(nil, redirect: "http://localhost:4711/callback")
    async let other = office.begin(nil, redirect: "http://localhost:4712/callback")
    for (port, opened) in [(4711, try await one), (4712, try await other)] {
      let ending = Task { try await office.desk.outcome(opened.attempt) }
      await come(opened, port, port: port)
      #expect(try await ending.value.isNew)
    }
    #expect(names() == ["test", "test-2"] && office.carrier.ended == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `of two by the same person that end together the second renews the first`() async throws {
    office.carrier.next(.land(200, "ok 1 300"), .land(200, "ok 2 300"))
    let one = try await office.begin("one", redirect: "http://localhost:4711/callback")
    let other = try await office.begin("other", redirect: "http://localhost:4712/callback")
    office.issuer.state.withLock { $0.isChecking = true }
    let endings = [one, other].map { opened in Task { try await office.desk.outcome(opened.attempt) } }
    await come(one, 1)
    await come(other, 2, port: 4712)
    while office.issuer.state.withLock({ $0.checks }) < 2 { await Task.yield() }
    office.issuer.state.withLock { $0.isChecking = false }
    var new = 0
    for ending in endings { new += try await ending.value.isNew ? 1 : 0 }
    #expect(new == 1 && office.shelf.index.count == 1 && office.shelf.state.withLock { $0.kept.count } == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `what an earlier daemon left goes to nobody else's account of that name`() async throws {
    office.carrier.next(.landUnheard("ok 1 300"))
    let opened = try await office.begin("work")
    await come(opened, 1)
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    next.carrier.next(.land(200, "ok 2 300"))
    let elsewhere = try await next.begin("work", at: Office.profile("https://other.test"))
    let ending = Task { try await next.desk.outcome(elsewhere.attempt) }
    await come(elsewhere, 2, at: next)
    let account = try await ending.value.account
    await next.vault.resume()
    #expect(names(next) == ["work", "work-2"] && next.carrier.ended == [])
    #expect(try await next.token("work") == "at-2" && account.issuer.identifier == "https://other.test")
    #expect(try await next.token("work-2") == "at-1")
    office.carrier.bury()
  }

  @Test(.timeLimit(.minutes(1)))
  func `what is to be renewed is known to the next daemon`() async throws {
    _ = try await office.signIn("", as: "work", 1)
    office.carrier.next(.landUnheard("ok 2 300"))
    let opened = try await office.begin("work")
    await come(opened, 2)
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(names(next) == ["work"] && next.carrier.ended == ["at-1"])
    #expect(try await next.token() == "at-2")
    office.carrier.bury()
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [StoreError.storage("EACCES"), .locked, .unavailable("no answer"), .untrusted("loose")])
  func `nobody is stored over an account of which nobody can tell whose it is`(_ trouble: StoreError) async throws {
    let ada = try await office.signIn("ada", as: "work", 1)
    let next = try Office(after: office)
    next.shelf.state.withLock { $0.unreadable[ada.account.id] = trouble }
    await #expect(throws: VaultError.self) { try await next.begin("work") }
    #expect(next.shelf.index.map(\.account.id) == [ada.account.id] && next.carrier.sent == [])
    next.shelf.state.withLock { $0.unreadable = [:] }
    #expect(try await next.token() == "at-1")
  }

  @Test(.timeLimit(.minutes(1)))
  func `nor when that cannot be told only as it ends, and its session is ended`() async throws {
    let ada = try await office.signIn("ada", as: "work", 1)
    let next = try Office(after: office)
    next.issuer.state.withLock { $0.person = "mallory" }
    next.carrier.next(.land(200, "ok 2 300"))
    let opened = try await next.begin("work")
    // What the daemon knew of the person it forgot with the lock.
    await next.vault.lock()
    try await next.vault.unlock(nil, passphrase: nil)
    next.shelf.state.withLock { $0.unreadable[ada.account.id] = .storage("EACCES") }
    let ending = Task { try await next.desk.outcome(opened.attempt) }
    await come(opened, 2, at: next)
    await #expect(throws: VaultError.self) { try await ending.value }
    #expect(next.shelf.index.map(\.account.id) == [ada.account.id] && next.carrier.ended == ["at-2"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `what was left behind waits until it can be told`() async throws {
    let ada = try await office.signIn("ada", as: "work", 1)
    office.carrier.next(.landUnheard("ok 2 300"))
    let opened = try await office.begin("work")
    await come(opened, 2)
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    next.shelf.state.withLock { $0.unreadable[ada.account.id] = .storage("EACCES") }
    await next.vault.resume()
    #expect(next.shelf.index.count == 2 && next.carrier.ended == [])
    next.shelf.state.withLock { $0.unreadable = [:] }
    await next.vault.resume()
    #expect(names(next) == ["work"] && next.carrier.ended == ["at-1"])
    #expect(try await next.token() == "at-2")
    office.carrier.bury()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a damaged record is replaced by a sign-in, as the person is told to do`() async throws {
    let ada = try await office.signIn("ada", as: "work", 1)
    let next = try Office(after: office)
    next.shelf.state.withLock { $0.unreadable[ada.account.id] = .damaged("garbage") }
    next.issuer.state.withLock { $0.person = "ada" }
    next.carrier.next(.land(200, "ok 2 300"))
    let opened = try await next.begin("work")
    let ending = Task { try await next.desk.outcome(opened.attempt) }
    await come(opened, 2, at: next)
    #expect(try await ending.value.account.name == "work")
    #expect(try await next.token() == "at-2")
  }
}
