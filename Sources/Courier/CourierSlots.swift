/// Who may have a courier now: few at once, and of one origin fewer, so that an issuer that hangs delays no other.
///
/// Those who wait are served in the order in which they came, skipping who has to wait for its own origin.
package struct CourierSlots {
  /// Couriers at once: each costs a process and some 20 MB for as long as an exchange takes.
  package static let total = 8
  /// Couriers at once to one origin.
  package static let perOrigin = 2

  package typealias Number = UInt64

  private struct Waiting {
    let number: Number
    let origin: String
  }

  private var taken: [String: Int] = [:]
  private var waiting: [Waiting] = []

  package init() {}

  /// Asks for a slot under a number of the caller's. Returns whether it has one now; otherwise it waits.
  package mutating func request(_ number: Number, _ origin: String) -> Bool {
    if hasRoom(origin) {
      take(origin)
      return true
    }
    waiting.append(Waiting(number: number, origin: origin))
    return false
  }

  /// Gives a slot back. Returns who has one now.
  package mutating func release(_ origin: String) -> [Number] {
    let left = (taken[origin] ?? 0) - 1
    precondition(left >= 0, "a slot was given back twice")
    taken[origin] = left == 0 ? nil : left
    var granted: [Number] = []
    var still: [Waiting] = []
    for waiter in waiting {
      if hasRoom(waiter.origin) {
        take(waiter.origin)
        granted.append(waiter.number)
      } else {
        still.append(waiter)
      }
    }
    waiting = still
    return granted
  }

  /// Stops waiting. Returns false when the slot was granted before: then it has to be given back.
  package mutating func withdraw(_ number: Number) -> Bool {
    let count = waiting.count
    waiting.removeAll { $0.number == number }
    return waiting.count < count
  }

  private func hasRoom(_ origin: String) -> Bool {
    taken.values.reduce(0, +) < Self.total && (taken[origin] ?? 0) < Self.perOrigin
  }

  private mutating func take(_ origin: String) { taken[origin, default: 0] += 1 }
}
