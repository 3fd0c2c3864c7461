import Exchange
import Secrets
import Synchronization
import Time
import Vault

/// A carrier whose flights end as a test says, and which counts what really left.
final class ScriptedCarrier: Carrier {
  enum Fate: Sendable {
    /// The answer lands: status and body.
    case land(Int, String)
    case refused
    case lost
    /// An answer lands that says to come back later, with `Retry-After` in seconds.
    case busy(retryAfter: Int64)
    /// The request is turned away unlooked at: 429.
    case tooMany(retryAfter: Int64?)
    /// As `busy`, when the test opens the gate.
    case gatedBusy(retryAfter: Int64)
    /// The answer lands when the test opens the gate.
    case gated(Int, String)
  }

  struct State {
    var fates: [Fate] = []
    var sessionStatus = 200
    /// What ending the session is answered, one after the other; 204 when none is left.
    var endings: [Int] = []
    /// The access tokens by which the session was to be ended.
    var ended: [String?] = []
    /// What requests to `step-up/` are answered, one after the other; the last one again and again.
    var stepUps: [(status: Int, body: String)] = []
    /// The access tokens by which they were asked.
    var stepUpTokens: [String?] = []
    /// Whether answers to them wait until this is set back.
    var isHolding = false
    /// What the session resource says of a session that lives.
    var sessionBody = "{}"
    var sessionRetryAfter: Int64?
    var isAway = false
    /// Requests without a journal are never answered.
    var isHanging = false
    var recalled: [AccountID] = []
    var sent = 0
    /// The proofs of what boarded.
    var proofs: [String?] = []
    var probes = 0
    /// Bodies of requests to end the browser's session, and what is answered.
    var loggedOut: [String?] = []
    var logoutStatus = 200
    var gate: CheckedContinuation<Void, Never>?
    var boarded: [CheckedContinuation<Void, Never>] = []
  }

  let state = Mutex(State())
  let journal: MemoryJournal
  let clock: ManualClock

  init(journal: MemoryJournal, clock: ManualClock) {
    self.journal = journal
    self.clock = clock
  }

  /// How often a refresh token left.
  var sent: Int { state.withLock { $0.sent } }

  func next(_ fates: Fate...) { state.withLock { $0.fates += fates } }

  func openGate() { state.withLock { $0.gate.take() }?.resume() }

  /// Returns when a gated flight waits at the gate.
  func atGate() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.gate != nil { return true }
        state.boarded.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func exchange(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer {
    // As on a network: others get their turn meanwhile.
    await Task.yield()
    if request.url.contains("/step-up/") || request.url.contains("/monitoring-token/"), let said = stepUp(request) {
      while state.withLock({ $0.isHolding }) { await Task.yield() }
      return answer(said.status, said.body)
    }
    let (body, retryAfter) = state.withLock { ($0.sessionBody, $0.sessionRetryAfter) }
    let status = state.withLock { state -> Int? in
      if state.isAway { return nil }
      if request.method == .delete {
        state.ended.append(text(request.bearer))
        return state.endings.isEmpty ? 204 : state.endings.removeFirst()
      }
      if request.method == .post {
        state.loggedOut.append(text(request.body))
        return state.logoutStatus
      }
      state.probes += 1
      return state.sessionStatus
    }
    guard let status else { throw .notSent("connection refused") }
    if state.withLock({ $0.isHanging }) {
      await hangUntilCancelled()
      throw .unknown("called off")
    }
    return answer(status, body, retryAfter: retryAfter)
  }

  private func stepUp(_ request: OutgoingRequest) -> (status: Int, body: String)? {
    state.withLock { state in
      guard !state.isAway else { return nil }
      state.stepUpTokens.append(text(request.bearer))
      return state.stepUps.count > 1 ? state.stepUps.removeFirst() : state.stepUps.first
    }
  }

  func recall(_ account: AccountID) async { state.withLock { $0.recalled.append(account) } }

  func board(_ request: OutgoingRequest, _ ticket: FlightTicket) async throws(CarrierError) -> any Flight {
    let fate = state.withLock { state in
      state.proofs.append(text(request.dpopProof))
      return state.fates.isEmpty ? Fate.refused : state.fates.removeFirst()
    }
    if case .refused = fate { throw .notSent("connection refused") }
    return ScriptedFlight(fate: fate, ticket: ticket, carrier: self)
  }

  fileprivate func depart(_ fate: Fate, _ account: AccountID) async -> FlightOutcome {
    state.withLock { $0.sent += 1 }
    journal.files.withLock { $0[account]?.departed = true }
    switch fate {
    case .refused: return .notSent("connection refused")
    case .lost: return .unknown("the connection was closed")
    case .land(let status, let body): return land(answer(status, body), account)
    case .busy(let retryAfter): return land(answer(503, "", retryAfter: retryAfter), account)
    case .tooMany(let retryAfter): return land(answer(429, "", retryAfter: retryAfter), account)
    case .gated(let status, let body):
      await passGate()
      return land(answer(status, body), account)
    case .gatedBusy(let retryAfter):
      await passGate()
      return land(answer(503, "", retryAfter: retryAfter), account)
    }
  }

  private func passGate() async {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state in
        state.gate = continuation
        defer { state.boarded = [] }
        return state.boarded
      }
      for waiter in waiting { waiter.resume() }
    }
  }

  private func land(_ answer: HTTPAnswer, _ account: AccountID) -> FlightOutcome {
    journal.files.withLock { $0[account]?.pad = answer }
    return .landed
  }

  /// An answer received now.
  func answer(_ status: Int, _ body: String, retryAfter: Int64? = nil) -> HTTPAnswer {
    HTTPAnswer(
      status: status, date: nil, retryAfter: retryAfter, contentType: "application/json", body: secret(body),
      isTruncated: false, receivedAt: clock.now, receivedBoot: clock.bootID, receivedWall: clock.wall)
  }
}

private struct ScriptedFlight: Flight {
  let fate: ScriptedCarrier.Fate
  let ticket: FlightTicket
  let carrier: ScriptedCarrier

  func depart() async -> FlightOutcome { await carrier.depart(fate, ticket.account) }
  func abandon() async {}
}

/// Returns when the task is cancelled.
func hangUntilCancelled() async {
  let (nothing, end) = AsyncStream<Never>.makeStream()
  for await _ in nothing {}
  end.finish()
}

/// A text as a secret.
func secret(_ text: String) -> SecretBox {
  do {
    return SecretBox(
      try unsafe SecretBytes(capacity: text.utf8.count) { room in
        unsafe room.copyBytes(from: Array(text.utf8))
        return text.utf8.count
      })
  } catch {
    preconditionFailure("the arena is full")
  }
}

/// What a test may look at in a secret it made itself.
func text(_ box: SecretBox?) -> String? {
  guard let box else { return nil }
  return unsafe box.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}
