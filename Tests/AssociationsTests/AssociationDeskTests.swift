import Associations
import Exchange
import Synchronization
import Testing
import Time
import Vault

@Suite struct AssociationDeskTests {
  /// A site that answers when it is let, and counts.
  private final class Site: Sendable {
    struct State {
      var asked: [String] = []
      var waiting: [CheckedContinuation<Void, Never>] = []
    }
    let state = Mutex(State())

    func hang(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer {
      state.withLock { $0.asked.append(request.url) }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          if Task.isCancelled { waiter.resume() } else { state.withLock { $0.waiting.append(waiter) } }
        }
      } onCancel: {
        let waiting = state.withLock { state in
          defer { state.waiting = [] }
          return state.waiting
        }
        for waiter in waiting { waiter.resume() }
      }
      throw .unknown("called off")
    }
  }

  @Test func `G3 a site that does not answer is given up in time`() async throws {
    let (clock, site) = (ManualClock(), Site())
    let desk = AssociationDesk(clock: clock, executor: nil) { (request) async throws(CarrierError) in
      try await site.hang(request)
    }
    let asking = Task { try await desk.ask(host, EgressPolicy()) }
    await clock.sleepers(1)
    clock.advance(by: AssociationDesk.patience)
    #expect(try await asking.value.finding == .unreachable("called off"))
    #expect(site.state.withLock { $0.asked } == ["https://app.example.org/.well-known/almoner-association.json"])
  }

  @Test func `who asks meanwhile gets the same answer from one fetch`() async throws {
    let (clock, site) = (ManualClock(), Site())
    let found = try answer()
    let desk = AssociationDesk(clock: clock, executor: nil) { (request) async throws(CarrierError) in
      site.state.withLock { $0.asked.append(request.url) }
      return found
    }
    async let first = desk.ask(host, EgressPolicy())
    async let second = desk.ask(host, EgressPolicy())
    #expect(try await first == second)
    #expect(site.state.withLock { $0.asked.count } == 1)
  }
}
