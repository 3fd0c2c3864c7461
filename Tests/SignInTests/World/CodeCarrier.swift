import Exchange
import Secrets
import Synchronization
import Time
import Vault

/// A carrier whose answers land on the shelf, and which counts what left.
final class CodeCarrier: Carrier {
  enum Fate: Sendable {
    case land(Int, String)
    case lost
    case refused
    /// The request is turned away unlooked at: 429.
    case tooMany(retryAfter: Int64)
    /// The courier lands the answer, and the daemon is never told: it died.
    case landUnheard(String)
  }

  struct State {
    var fates: [Fate] = []
    var sent: [String] = []
    /// Access tokens whose session was ended.
    var ended: [String] = []
    var unheard: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  let state = Mutex(State())
  private let shelf: Shelf
  private let clock: ManualClock

  init(shelf: Shelf, clock: ManualClock) {
    self.shelf = shelf
    self.clock = clock
  }

  /// The codes and refresh tokens that left.
  var sent: [String] { state.withLock { $0.sent } }
  var ended: [String] { state.withLock { $0.ended } }

  func next(_ fates: Fate...) { state.withLock { $0.fates += fates } }

  /// Returns when an answer landed of which the daemon does not hear.
  func landedUnheard() async {
    await withCheckedContinuation { watcher in
      let isThere = state.withLock { state in
        if state.unheard.isEmpty { state.watching.append(watcher) }
        return !state.unheard.isEmpty
      }
      if isThere { watcher.resume() }
    }
  }

  /// Lets the flights of a daemon that is taken for dead end, so that nothing waits for ever.
  func bury() {
    let unheard = state.withLock { state in
      defer { state.unheard = [] }
      return state.unheard
    }
    for flight in unheard { flight.resume() }
  }

  func exchange(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer {
    state.withLock { $0.ended.append(text(request.bearer)) }
    return answer(204, "")
  }

  func recall(_ account: AccountID) async {}

  func board(_ request: OutgoingRequest, _ ticket: FlightTicket) async throws(CarrierError) -> any Flight {
    let fate = state.withLock { $0.fates.isEmpty ? .refused : $0.fates.removeFirst() }
    if case .refused = fate { throw .notSent("connection refused") }
    return CodeFlight(fate: fate, account: ticket.account, sends: text(request.body), carrier: self)
  }

  fileprivate func depart(_ flight: CodeFlight) async -> FlightOutcome {
    state.withLock { $0.sent.append(flight.sends) }
    switch flight.fate {
    case .refused: return .notSent("connection refused")
    case .lost: return .unknown("the connection was closed")
    case .land(let status, let body):
      land(answer(status, body), flight.account)
      return .landed
    case .tooMany(let retryAfter):
      land(answer(429, "", retryAfter: retryAfter), flight.account)
      return .landed
    case .landUnheard(let body):
      land(answer(200, body), flight.account)
      await withCheckedContinuation { continuation in
        let watching = state.withLock { state in
          state.unheard.append(continuation)
          defer { state.watching = [] }
          return state.watching
        }
        for watcher in watching { watcher.resume() }
      }
      return .unknown("the daemon died")
    }
  }

  private func land(_ answer: HTTPAnswer, _ account: AccountID) {
    shelf.state.withLock { $0.pads[account] = answer }
  }

  private func answer(_ status: Int, _ body: String, retryAfter: Int64? = nil) -> HTTPAnswer {
    HTTPAnswer(
      status: status, date: nil, retryAfter: retryAfter, contentType: "application/json", body: secret(body),
      isTruncated: false, receivedAt: clock.now, receivedBoot: clock.bootID, receivedWall: clock.wall)
  }
}

private struct CodeFlight: Flight {
  let fate: CodeCarrier.Fate
  let account: AccountID
  let sends: String
  let carrier: CodeCarrier

  func depart() async -> FlightOutcome { await carrier.depart(self) }
  func abandon() async {}
}
