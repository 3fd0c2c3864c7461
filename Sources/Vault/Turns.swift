/// Who changes something that only one may change at a time, and who waits to be next, in the order of coming.
///
/// A call takes its turn inside `withCheckedContinuation`: it looks and queues in one step. A call that suspends on its way
/// to its body would let the turn pass between the two, and nobody would wake it.
struct Turns {
  private(set) var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  mutating func take(_ next: CheckedContinuation<Void, Never>) {
    if isTaken {
      waiting.append(next)
    } else {
      isTaken = true
      next.resume()
    }
  }

  /// Handed over without being free between: whoever comes meanwhile queues behind.
  mutating func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
