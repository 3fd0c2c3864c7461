import Time

/// The callers that wait for the work of one account. Each has a deadline of its own and may leave at any time.
struct WaitingRoom {
  struct Waiter {
    let request: AccessRequest
    let continuation: CheckedContinuation<Result<AccessGrant, VaultError>, Never>
  }

  private(set) var waiting: [UInt64: Waiter] = [:]
  private var next: UInt64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// A ticket for a caller that is about to wait.
  mutating func ticket() -> UInt64 {
    next += 1
    return next
  }

  mutating func enter(_ ticket: UInt64, _ waiter: Waiter) { waiting[ticket] = waiter }

  mutating func leave(_ ticket: UInt64) -> Waiter? { waiting.removeValue(forKey: ticket) }

  /// Takes everybody out. Who has to go on waiting enters again with the same ticket, by which they may still leave.
  mutating func empty() -> [UInt64: Waiter] {
    defer { waiting = [:] }
    return waiting
  }

  /// The same, in the order in which they are asked about, and the next work begins for the first that needs one: who wants
  /// the account's own token before those who want less, and each in the order of coming.
  mutating func emptyInTurn() -> [(ticket: UInt64, waiter: Waiter)] {
    let all = empty().sorted { first, second in
      let (isFirstOwn, isSecondOwn) = (first.value.request.narrowing == nil, second.value.request.narrowing == nil)
      return isFirstOwn == isSecondOwn ? first.key < second.key : isFirstOwn
    }
    return all.map { ($0.key, $0.value) }
  }

  /// Takes out those whose deadline has come.
  mutating func expired(at now: BootInstant) -> [Waiter] {
    let late = waiting.filter { $0.value.request.deadline <= now }
    for ticket in late.keys { waiting[ticket] = nil }
    return Array(late.values)
  }

  var earliestDeadline: BootInstant? { waiting.values.map(\.request.deadline).min() }
}
