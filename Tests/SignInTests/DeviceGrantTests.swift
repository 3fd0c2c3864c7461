import SignIn
import Synchronization
import Testing
import Time
import Vault

/// The device authorization grant at the desk: what is shown, when it is polled, who keeps it alive, how it ends.
@Suite struct DeviceGrantTests {
  private static let tokens = #"{"access_token":"at-1","refresh_token":"rt-1","token_type":"Bearer"}"#

  private static func error(_ code: String) -> CodeCarrier.Fate { .land(400, #"{"error":"\#(code)"}"#) }
  private static let pending = error("authorization_pending")

  private let office: Office

  init() throws {
    office = try Office()
    office.issuer.state.withLock { $0.offersDeviceGrant = true }
  }

  /// Lets the pause before the next poll pass, once it has begun.
  private func pass(_ seconds: Int = 5) async {
    await office.clock.sleepers(1)
    office.clock.advance(by: .seconds(seconds))
  }

  private func failure(_ opened: SignInDesk.Opened) async -> VaultError? {
    await #expect(throws: VaultError.self) { try await office.desk.outcome(opened.attempt) }
  }

  @Test func `the person is shown code and address, and polls end in a sign-in without a nonce`() async throws {
    office.carrier.next(Self.pending, Self.pending, .land(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    let device = try #require(opened.device)
    #expect(device.userCode == "WDJB-MJHT" && device.verificationURI == "https://issuer.test/go")
    #expect(opened.url == "https://issuer.test/go?c=WDJB-MJHT" && device.expiresIn == 60)
    for _ in 0..<3 { await pass() }
    #expect(try await office.desk.outcome(opened.attempt).isNew)
    #expect(try await office.token() == "at-1")
    #expect(office.carrier.sent == ["dc-secret", "dc-secret", "dc-secret"])
    #expect(office.issuer.state.withLock { !$0.hadNonce })
  }

  @Test func `of many polls one intent is written, and only the tokens are landed`() async throws {
    office.carrier.next(Self.pending, Self.pending, Self.pending, .land(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    for _ in 0..<3 {
      await pass()
      await office.clock.sleepers(1)
      #expect(office.shelf.state.withLock { $0.intentWrites == 1 && $0.pads.isEmpty })
    }
    await pass()
    _ = try await office.desk.outcome(opened.attempt)
    #expect(office.shelf.state.withLock { $0.intentWrites } == 1)
  }

  @Test func `who asks for the same account sees the same code, and the last one to leave ends it`() async throws {
    let first = try await office.begin(flow: .device)
    office.clock.advance(by: .seconds(2))
    let second = try await office.begin(flow: .device)
    #expect(second.attempt == first.attempt && second.device?.userCode == first.device?.userCode)
    #expect(second.url == first.url && second.device?.expiresIn == 58)
    #expect(office.carrier.state.withLock { $0.deviceRequests } == 1)
    await office.desk.cancel(first)
    office.carrier.next(Self.pending)
    await pass()
    await office.clock.sleepers(1)
    #expect(office.carrier.sent.count == 1)
    await office.desk.cancel(second)
    guard case .signInFailed(.cancelled, _)? = await failure(second) else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(office.shelf.isEmpty && office.clock.sleeperCount == 0)
  }

  @Test func `one of two goes away and the other signs in`() async throws {
    office.carrier.next(.land(200, Self.tokens))
    let first = try await office.begin(flow: .device)
    let second = try await office.begin()
    await office.desk.cancel(first)
    await pass()
    #expect(try await office.desk.outcome(second.attempt).account.name == "work")
  }

  @Test func `after everybody left, a new sign-in gets a new code`() async throws {
    let first = try await office.begin(flow: .device)
    await office.desk.cancel(first)
    let second = try await office.begin(flow: .device)
    #expect(second.attempt != first.attempt)
    #expect(office.carrier.state.withLock { $0.deviceRequests } == 2)
    await office.desk.cancel(second)
  }

  @Test func `a code that runs out is told apart, and leaves nothing`() async throws {
    office.carrier.next(Self.pending)
    let opened = try await office.begin(flow: .device)
    await pass()
    await pass(60)
    #expect(await failure(opened)?.failure == .expired)
    #expect(office.shelf.isEmpty && office.clock.sleeperCount == 0 && office.carrier.sent.count == 1)
  }

  @Test(arguments: [
    ("expired_token", SignInFailure.expired), ("access_denied", .cancelled), ("invalid_grant", .refused),
  ])
  func `the issuer's no ends it at once`(code: String, reason: SignInFailure) async throws {
    office.carrier.next(Self.error(code))
    let opened = try await office.begin(flow: .device)
    await pass()
    #expect(await failure(opened)?.failure == reason)
    #expect(office.shelf.isEmpty && office.clock.sleeperCount == 0)
  }

  @Test func `slow_down is obeyed from then on`() async throws {
    office.carrier.next(Self.error("slow_down"), Self.pending, .land(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    var pauses: [Int64] = []
    for _ in 0..<3 {
      await office.clock.sleepers(1)
      pauses.append(try #require(office.clock.nextDue).wholeSeconds(after: office.clock.now))
      office.clock.advance(by: .seconds(pauses.last ?? 0))
    }
    _ = try await office.desk.outcome(opened.attempt)
    #expect(pauses == [5, 10, 10])
  }

  @Test func `polls that do not get through are made less often, and change nothing`() async throws {
    office.carrier.state.withLock { $0.device.body.replace("\"expires_in\":60", with: "\"expires_in\":600") }
    office.carrier.next(.refused, .lost, .tooMany(retryAfter: 3), .land(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    var pauses: [Int64] = []
    for _ in 0..<4 {
      await office.clock.sleepers(1)
      pauses.append(try #require(office.clock.nextDue).wholeSeconds(after: office.clock.now))
      office.clock.advance(by: .seconds(pauses.last ?? 0))
    }
    _ = try await office.desk.outcome(opened.attempt)
    #expect(pauses == [5, 10, 20, 40])
  }

  @Test func `a code that is dead after an answer was lost says so`() async throws {
    office.carrier.next(.lost, Self.error("invalid_grant"))
    let opened = try await office.begin(flow: .device)
    await pass()
    await pass(10)
    guard case .signInFailed(.refused, let message)? = await failure(opened) else {
      Issue.record("it was not refused")
      return
    }
    #expect(message.contains("lost") && office.shelf.isEmpty)
  }

  @Test func `an answer that landed unheard is found before the next poll`() async throws {
    office.carrier.next(.landUnheard(Self.tokens))
    let opened = try await office.begin(flow: .device)
    await pass()
    await office.carrier.landedUnheard()
    office.carrier.bury()
    await pass(10)
    _ = try await office.desk.outcome(opened.attempt)
    #expect(office.carrier.sent.count == 1)
  }

  @Test func `a daemon that dies with the tokens landed has signed in when it is back`() async throws {
    office.carrier.next(.landUnheard(Self.tokens))
    _ = try await office.begin(flow: .device)
    await pass()
    await office.carrier.landedUnheard()
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(try await next.token() == "at-1")
    #expect(next.issuer.state.withLock { !$0.hadNonce } && next.carrier.sent.isEmpty)
    office.carrier.bury()
  }

  @Test func `a daemon that dies before anybody agreed leaves nothing`() async throws {
    office.carrier.next(Self.pending)
    _ = try await office.begin(flow: .device)
    await pass()
    await office.clock.sleepers(1)
    let next = try Office(after: office)
    await next.vault.resume()
    #expect(next.shelf.isEmpty)
  }

  @Test func `tokens that come after everybody left are given back`() async throws {
    office.carrier.next(.landLate(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    await pass()
    await office.carrier.landedUnheard()
    await office.desk.cancel(opened)
    office.carrier.bury()
    #expect(await failure(opened)?.failure == .cancelled)
    #expect(office.carrier.ended == ["at-1"] && office.shelf.isEmpty)
  }

  @Test func `a poll that hangs delays no other sign-in`() async throws {
    office.carrier.next(.landLate(200, Self.tokens))
    let stuck = try await office.begin("one", flow: .device)
    await pass()
    await office.carrier.landedUnheard()
    office.carrier.next(.land(200, Self.tokens))
    let quick = try await office.begin("two", flow: .device)
    await pass()
    #expect(try await office.desk.outcome(quick.attempt).account.name == "two")
    office.carrier.bury()
    _ = try await office.desk.outcome(stuck.attempt)
  }

  @Test func `an issuer that gives this client no code is told when it was asked for`() async throws {
    office.carrier.state.withLock { $0.device = (400, #"{"error":"unauthorized_client"}"#) }
    let error = await #expect(throws: VaultError.self) { try await office.begin(flow: .device) }
    guard case .misconfigured(_, let message)? = error else {
      Issue.record("it is \(String(describing: error))")
      return
    }
    #expect(message.contains("unauthorized_client") && office.shelf.isEmpty)
  }

  @Test func `one that was only chosen gives way to another flow`() async throws {
    office.carrier.state.withLock { $0.device = (400, #"{"error":"unauthorized_client"}"#) }
    let opened = try await office.begin(browser: .elsewhere)
    #expect(opened.flow == .paste && opened.device == nil)
    await office.desk.cancel(opened)
  }

  @Test func `without a display the grant is chosen where there is one`() async throws {
    let opened = try await office.begin(browser: nil)
    #expect(opened.flow == .device)
    await office.desk.cancel(opened)
  }

  @Test(arguments: [(429, ""), (500, ""), (503, "")])
  func `an issuer that is busy is asked again later`(status: Int, body: String) async throws {
    office.carrier.state.withLock { $0.device = (status, body) }
    let error = await #expect(throws: VaultError.self) { try await office.begin(flow: .device) }
    guard case .temporary? = error else {
      Issue.record("it is \(String(describing: error))")
      return
    }
    #expect(office.shelf.isEmpty)
  }

  @Test func `a hostile answer is refused before anybody sees it`() async throws {
    let codes = CodeCarrier.codes.replacing(#""user_code":"WDJB"#, with: #""user_code":"\u202eWDJB"#)
    office.carrier.state.withLock { $0.device = (200, codes) }
    let error = await #expect(throws: VaultError.self) { try await office.begin(flow: .device) }
    guard case .misconfigured? = error else {
      Issue.record("it is \(String(describing: error))")
      return
    }
    #expect(office.shelf.isEmpty)
  }

  @Test func `somebody else than the account's person is not stored over it`() async throws {
    office.issuer.state.withLock { $0.offersDeviceGrant = false }
    _ = try await office.signIn("ada")
    office.issuer.state.withLock { $0.offersDeviceGrant = true }
    office.issuer.state.withLock { $0.person = "bob" }
    office.carrier.next(.land(200, Self.tokens))
    let opened = try await office.begin(flow: .device)
    await pass()
    #expect(await failure(opened)?.failure == .wrongPerson)
    #expect(office.carrier.ended == ["at-1"])
  }
}

extension BootInstant {
  fileprivate func wholeSeconds(after earlier: BootInstant) -> Int64 { (self - earlier).wholeSeconds }
}
