import Exchange
import Secrets
import Synchronization
import Testing
import Time
import Vault

/// A step-up from the question to its end. Time stands still, so every look is one that the test let happen.
@Suite struct StepUpTests {
  private let world: World
  private let desk: StepUpDesk

  init() throws {
    world = try World(life: 7200)
    desk = StepUpDesk(vault: world.vault)
  }

  private func say(_ answers: (Int, String)...) {
    world.carrier.state.withLock { $0.stepUps = answers.map { (status: $0.0, body: $0.1) } }
  }

  private func begin() async throws(VaultError) -> StepUpDesk.Opened? {
    let wish = try StepUpWish(action: "payout", amount: "12.50", currency: "EUR", returnTo: nil)
    return try await desk.begin("work", wish, deadline: world.clock.now + .seconds(30)).opened
  }

  /// Begins one and waits for its end in a task of its own; returns when it sleeps before its first look.
  private func watch() async throws -> Task<VaultError?, Never> {
    say((200, "page s1"))
    let opened = try #require(try await begin())
    #expect(opened.url == "https://verify.test/s1")
    let task = Task { [desk] () -> VaultError? in
      do throws(VaultError) { try await desk.outcome(of: opened) } catch { return error }
      return nil
    }
    await world.clock.sleepers(1)
    return task
  }

  /// Lets time pass until the waiting one looks again. Who waits for a token has a longer alarm of its own.
  private func letLook(within longest: Duration = .seconds(10)) async {
    while true {
      let now = world.clock.now
      if let due = world.clock.nextDue, due - now <= longest { return world.clock.advance(by: due - now) }
      await Task.yield()
    }
  }

  private var asked: Int { world.carrier.state.withLock { $0.stepUpTokens.count } }

  @Test func `an action that needs no proof ends at once`() async throws {
    say((200, "no"))
    #expect(try await begin() == nil)
    #expect(asked == 1 && world.clock.sleeperCount == 0)
  }

  @Test func `only the issuer's approval ends it well, and until then it is asked ever more seldom`() async throws {
    let task = try await watch()
    say((200, "pending"), (200, "pending"), (200, "pending"), (200, "reviewing"), (200, "approved"))
    var pauses: [Duration] = []
    for _ in 0..<5 {
      await world.clock.sleepers(1)
      pauses.append(try #require(world.clock.nextDue) - world.clock.now)
      await letLook()
      while asked < 1 + pauses.count { await Task.yield() }
    }
    #expect(await task.value == nil)
    #expect(pauses == [.seconds(2), .seconds(3), .milliseconds(4500), .milliseconds(6750), .seconds(10)])
  }

  @Test(arguments: [
    ("declined", StepUpFailure.declined), ("expired", .expired), ("cancelled", .cancelled),
  ])
  func `every other end is an error of its own`(word: String, failure: StepUpFailure) async throws {
    let task = try await watch()
    say((200, word))
    await letLook()
    #expect(await task.value == .stepUpFailed(account: "work", failure))
  }

  @Test func `nobody is asked for a caller that has gone`() async throws {
    let task = try await watch()
    task.cancel()
    _ = await task.value
    #expect(asked == 1 && world.clock.sleeperCount == 0)
  }

  @Test func `a sign-out ends it at once`() async throws {
    let task = try await watch()
    _ = try await world.vault.signOut("work")
    #expect(await task.value == .stepUpFailed(account: "work", .sessionEnded))
    #expect(asked == 1)
  }

  @Test func `a lock ends it at once`() async throws {
    let task = try await watch()
    await world.vault.lock()
    #expect(await task.value == .locked(account: "work"))
  }

  @Test func `an approval that comes after the sign-out is nobody's`() async throws {
    let task = try await watch()
    say((200, "approved"))
    // Signing out and the next look are due in the same moment.
    let leaving = Task { try await world.vault.signOut("work") }
    world.clock.advance(by: .seconds(2))
    _ = try await leaving.value
    let error = await task.value
    // Approved before the session ended, or not at all.
    #expect(error == .stepUpFailed(account: "work", .sessionEnded) || error == nil && asked == 2)
  }

  @Test func `after thirty minutes it has expired, and was asked a bounded number of times`() async throws {
    let task = try await watch()
    say((200, "pending"))
    let end = world.clock.now + .seconds(1800)
    while world.clock.now < end {
      let before = asked
      await letLook()
      while asked == before { await Task.yield() }
    }
    #expect(await task.value == .stepUpFailed(account: "work", .expired))
    #expect((180...190).contains(asked))
  }

  @Test func `a token that was replaced meanwhile is replaced here, and it goes on`() async throws {
    let task = try await watch()
    world.carrier.next(.land(200, "ok 2 300"))
    say((401, ""), (200, "approved"))
    await letLook()
    while asked < 2 { await Task.yield() }
    await letLook()
    #expect(await task.value == nil)
    #expect(world.carrier.state.withLock { $0.stepUpTokens } == ["at-1", "at-1", "at-2"])
    #expect(world.carrier.sent == 1)
  }

  @Test func `a session that refuses every token is over, after one refresh`() async throws {
    let task = try await watch()
    world.carrier.next(.land(200, "ok 2 300"))
    say((401, ""))
    for count in 2...4 {
      await letLook()
      while asked < count { await Task.yield() }
    }
    #expect(await task.value == .stepUpFailed(account: "work", .sessionEnded))
    #expect(world.carrier.sent == 1)
  }

  @Test func `a step-up that this session has not is over`() async throws {
    let task = try await watch()
    say((404, ""))
    await letLook()
    #expect(await task.value == .stepUpFailed(account: "work", .sessionEnded))
  }

  @Test func `an issuer that is busy or away is asked again, when it wished`() async throws {
    let task = try await watch()
    say((503, ""), (200, "approved"))
    await letLook()
    while asked < 2 { await Task.yield() }
    await world.clock.sleepers(1)
    #expect(try #require(world.clock.nextDue) - world.clock.now == .seconds(60))
    await letLook(within: .seconds(60))
    #expect(await task.value == nil)
  }

  @Test func `a token that the question is refused for is replaced once`() async throws {
    world.carrier.next(.land(200, "ok 2 300"))
    say((401, ""), (200, "no"))
    #expect(try await begin() == nil)
    #expect(world.carrier.state.withLock { $0.stepUpTokens } == ["at-1", "at-2"])
    say((401, ""))
    let error = await #expect(throws: VaultError.self) { try await begin() }
    guard case .temporary = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(world.carrier.sent == 1)
  }

  @Test func `the issuer's no and its busy are told apart`() async throws {
    say((403, ""))
    await #expect(throws: VaultError.denied(account: "work", message: "no")) { try await begin() }
    say((503, ""))
    await #expect(throws: VaultError.temporary(account: "work", message: "busy", retryAfter: 7)) { try await begin() }
  }

  @Test func `more than sixteen at once have to come back later`() async throws {
    var tasks: [Task<VaultError?, Never>] = []
    for count in 1...StepUpDesk.maximumOpen {
      tasks.append(try await watch())
      await world.clock.sleepers(count)
    }
    let error = await #expect(throws: VaultError.self) { try await begin() }
    guard case .temporary = error else { return #expect(Bool(false), "\(String(describing: error))") }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
    #expect(try await begin() != nil)
  }
}
