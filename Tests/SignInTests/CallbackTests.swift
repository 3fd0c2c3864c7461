import Exchange
import Secrets
import SignIn
import Synchronization
import Testing
import Time
import Vault

/// A browser that comes back to the loopback listener.
@Suite struct CallbackTests {
  @Test func `the right code signs in and the token is there at once`() async throws {
    let office = try Office()
    let result = try await office.signIn()
    #expect(result.isNew && result.identity.subject == "ada" && result.account.name == "work")
    #expect(office.shelf.index.map(\.phase) == [.signedIn])
    #expect(try await office.token() == "at-1")
    #expect(office.carrier.sent == ["code-1"])
  }

  @Test func `the browser is told that its code was taken`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    #expect(await office.listener?.come("code=c&state=\(opened.state)") == .accepted)
    _ = try await office.desk.outcome(opened.attempt)
  }

  @Test func `the listener is asked for what is registered`() async throws {
    let office = try Office()
    _ = try await office.begin()
    #expect(
      office.listener?.request
        == ListenRequest(authority: "localhost:4711", path: "/callback", anyPort: false, life: .seconds(600)))
  }

  @Test(arguments: [
    "code=c&state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "code=c", "code=c&state=",
    "error=access_denied&state=x",
    "nonsense", "", "code=c&state=%zz",
  ])
  func `A1 what does not carry the state changes nothing and the right code still works`(_ query: String) async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    #expect(await office.listener?.come(query) == .rejected)
    #expect(office.carrier.sent == [])
    #expect(await office.listener?.come("code=c&state=\(opened.state)") == .accepted)
    #expect(try await office.desk.outcome(opened.attempt).account.name == "work")
  }

  @Test func `A1 the state of another sign-in does not do`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let first = try await office.begin("first")
    let firstListener = office.listener
    let second = try await office.begin("second")
    #expect(await office.listener?.come("code=c&state=\(first.state)") == .rejected)
    #expect(office.carrier.sent == [])
    #expect(await office.listener?.come("code=c&state=\(second.state)") == .accepted)
    #expect(try await office.desk.outcome(second.attempt).account.name == "second")
    office.issuer.state.withLock { $0.person = "bob" }
    office.carrier.next(.land(200, "ok 2 300"))
    #expect(await firstListener?.come("code=d&state=\(first.state)") == .accepted)
    #expect(try await office.desk.outcome(first.attempt).account.name == "first")
  }

  @Test func `A2 the same callback twice is redeemed once`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"), .land(200, "ok 2 300"))
    let opened = try await office.begin()
    let query = "code=c&state=\(opened.state)"
    let twice = [1, 2].map { _ in Task { await office.listener?.come(query) } }
    _ = try await office.desk.outcome(opened.attempt)
    office.listener?.close()
    var verdicts: [Bool] = []
    for task in twice { verdicts.append(await task.value == .accepted) }
    #expect(verdicts.count { $0 } == 1)
    #expect(office.carrier.sent == ["c"])
  }

  @Test func `A4 a response of another issuer is refused and told`() async throws {
    let office = try Office()
    let events = office.vault.hub.watch()
    let opened = try await office.begin()
    let query = "code=c&state=\(opened.state)&iss=https%3A%2F%2Fother.test"
    #expect(await office.listener?.come(query) == .rejected)
    #expect(office.carrier.sent == [])
    let told = await office.events(events)
    #expect(told.map(\.kind) == [.callbackRejected] && told.first?.account == "work")
    #expect(told.first?.detail == "the response is of another issuer, and this sign-in is at https://issuer.test")
  }

  @Test func `A4 a mix-up of two sign-ins is told with both names`() async throws {
    let office = try Office()
    _ = try await office.begin("other", at: Office.profile("https://other.test"))
    let events = office.vault.hub.watch()
    let opened = try await office.begin()
    let query = "code=c&state=\(opened.state)&iss=https%3A%2F%2Fother.test"
    #expect(await office.listener?.come(query) == .rejected)
    #expect(office.carrier.sent == [])
    let detail = await office.events(events).first?.detail
    #expect(detail == "the response is of https://other.test, and this sign-in is at https://issuer.test")
  }

  @Test func `A5 a promised iss that is missing is refused and the right one passes`() async throws {
    let office = try Office()
    office.issuer.state.withLock { $0.promises = true }
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await office.begin()
    let query = "code=c&state=\(opened.state)"
    #expect(await office.listener?.come(query) == .rejected)
    #expect(office.carrier.sent == [])
    #expect(await office.listener?.come(query + "&iss=https%3A%2F%2Fissuer.test") == .accepted)
    _ = try await office.desk.outcome(opened.attempt)
  }

  @Test func `A6 after ten minutes nobody is waited for and nothing is left`() async throws {
    let office = try Office()
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    await office.clock.sleepers(1)
    office.clock.advance(by: .seconds(599))
    #expect(office.listener?.isClosed == false)
    office.clock.advance(by: .seconds(1))
    let error = await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(error?.failure == .timeout)
    #expect(office.listener?.isClosed == true && office.shelf.isEmpty)
  }

  @Test func `A6 a redirect that comes after the timeout is not redeemed`() async throws {
    let office = try Office()
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    await office.clock.sleepers(1)
    office.clock.advance(by: .seconds(600))
    await #expect(throws: VaultError.self) { try await waiting.value }
    let late = secret("\(Office.redirect)?code=c&state=\(opened.state)")
    let error = await #expect(throws: VaultError.self) {
      try await office.desk.complete(opened.attempt, redirectedURL: late)
    }
    #expect(error?.field == "attempt" && office.carrier.sent == [])
  }

  @Test(arguments: [
    ("access_denied", SignInFailure.cancelled), ("server_error", .refused), ("whatever", .refused),
  ])
  func `an error of the issuer ends the sign-in without a trace`(
    _ code: String, _ failure: SignInFailure
  ) async throws {
    let office = try Office()
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    #expect(await office.listener?.come("error=\(code)&state=\(opened.state)") == .denied)
    await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(office.shelf.isEmpty && office.carrier.sent == [])
  }

  @Test func `a listener that dies ends the sign-in`() async throws {
    let office = try Office()
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    office.listener?.close()
    let error = await #expect(throws: VaultError.self) { try await waiting.value }
    #expect(error?.failure != nil && office.shelf.isEmpty)
  }
}

extension VaultError {
  var failure: SignInFailure? {
    if case .signInFailed(let failure, _) = self { failure } else { nil }
  }

  var field: String? {
    if case .badRequest(let field, _) = self { field } else { nil }
  }
}
