/// Whether we are on the bus, and what to do when that changes. Pure.
///
/// A lost bus is looked for a few times, then again at the next change: an idle daemon does not wake up for it.
package struct PresenceMachine {
  private enum State: Equatable {
    /// `attempts` have failed since we were last there.
    case absent(attempts: Int)
    /// Absent, and a timer is set for the next attempt.
    case waiting(attempts: Int)
    case connecting(attempts: Int)
    case present
    case stopped
  }

  /// How long to wait before each further attempt.
  package static let pauses: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]

  private var state = State.absent(attempts: 0)

  package init() {}

  package enum Action: Equatable {
    case nothing
    case connect
    case emitChange
    case retry(after: Duration)
    case disconnect
  }

  package mutating func started() -> Action {
    switch state {
    case .absent(let attempts):
      state = .connecting(attempts: attempts)
      return .connect
    case .waiting, .connecting, .present, .stopped: return .nothing
    }
  }

  /// The time set by ``Action/retry(after:)`` is over.
  package mutating func retryDue() -> Action {
    switch state {
    case .waiting(let attempts):
      state = .connecting(attempts: attempts)
      return .connect
    case .absent, .connecting, .present, .stopped: return .nothing
    }
  }

  /// The bus let us in and answered our request for the name.
  package mutating func arrived() {
    switch state {
    case .connecting: state = .present
    case .absent, .waiting, .present, .stopped: break
    }
  }

  /// The connection ended, or was not to be had.
  package mutating func lost() -> Action {
    switch state {
    case .connecting(let attempts): return pause(after: attempts)
    case .present: return pause(after: 0)
    case .absent, .waiting, .stopped: return .nothing
    }
  }

  /// Something of the status changed.
  package mutating func changed() -> Action {
    switch state {
    case .present: return .emitChange
    case .absent:
      state = .connecting(attempts: 0)
      return .connect
    case .waiting, .connecting, .stopped: return .nothing
    }
  }

  package mutating func stopped() -> Action {
    state = .stopped
    return .disconnect
  }

  private mutating func pause(after attempts: Int) -> Action {
    guard attempts < Self.pauses.count else {
      state = .absent(attempts: attempts)
      return .nothing
    }
    state = .waiting(attempts: attempts + 1)
    return .retry(after: Self.pauses[attempts])
  }
}
