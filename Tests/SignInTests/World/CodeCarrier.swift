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
    /// The answer comes when the test buries the flight.
    case landLate(Int, String)
  }

  static let deviceEndpoint = "https://issuer.test/device"
  static let codes = """
    {"device_code":"dc-secret","user_code":"WDJB-MJHT","verification_uri":"https://issuer.test/go",
    "verification_uri_complete":"https://issuer.test/go?c=WDJB-MJHT","expires_in":60,"interval":5}
    """

  struct State {
    var fates: [Fate] = []
    var sent: [String] = []
    /// The proofs of what boarded.
    var proofs: [String] = []
    /// Access tokens whose session was ended.
    var ended: [String] = []
    var unheard: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
    /// What the device authorization endpoint says, and how often it was asked.
    var device = (status: 200, body: CodeCarrier.codes)
    var deviceRequests = 0
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
    let device = state.withLock { state -> (status: Int, body: String)? in
      guard request.url == Self.deviceEndpoint else {
        state.ended.append(text(request.bearer))
        return nil
      }
      state.deviceRequests += 1
      return state.device
    }
    return device.map { answer($0.status, $0.body) } ?? answer(204, "")
  }

  func recall(_ account: AccountID) async {}

  func board(_ request: OutgoingRequest, _ ticket: FlightTicket) async throws(CarrierError) -> any Flight {
    let fate = state.withLock { state in
      state.proofs.append(text(request.dpopProof))
      return state.fates.isEmpty ? Fate.refused : state.fates.removeFirst()
    }
    if case .refused = fate { throw .notSent("connection refused") }
    return CodeFlight(
      fate: fate, account: ticket.account, sends: text(request.body), isPoll: ticket.isPoll, carrier: self)
  }

  fileprivate func depart(_ flight: CodeFlight) async -> FlightOutcome {
    state.withLock { $0.sent.append(flight.sends) }
    switch flight.fate {
    case .refused: return .notSent("connection refused")
    case .lost: return .unknown("the connection was closed")
    case .land(let status, let body): return told(answer(status, body), flight)
    case .tooMany(let retryAfter): return told(answer(429, "", retryAfter: retryAfter), flight)
    case .landLate(let status, let body):
      await untilBuried()
      return told(answer(status, body), flight)
    case .landUnheard(let body):
      land(answer(200, body), flight.account)
      await untilBuried()
      return .unknown("the daemon died")
    }
  }

  /// Of a poll only a success is landed.
  private func told(_ answer: HTTPAnswer, _ flight: CodeFlight) -> FlightOutcome {
    if flight.isPoll, answer.status != 200 { return .answered(answer) }
    land(answer, flight.account)
    return .landed
  }

  private func untilBuried() async {
    await withCheckedContinuation { continuation in
      let watching = state.withLock { state in
        state.unheard.append(continuation)
        defer { state.watching = [] }
        return state.watching
      }
      for watcher in watching { watcher.resume() }
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
  let isPoll: Bool
  let carrier: CodeCarrier

  func depart() async -> FlightOutcome { await carrier.depart(self) }
  func abandon() async {}
}
