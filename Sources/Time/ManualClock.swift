import Synchronization

/// A clock that a test winds by hand.
package final class ManualClock: Clock {
  private struct Sleeper {
    let due: BootInstant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now: BootInstant
    var wall: WallInstant
    var sleepers: [UInt64: Sleeper] = [:]
    var lastID: UInt64 = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Those who wait for as many sleepers as there are now.
    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let content = watchers.filter { $0.count <= count }.map(\.continuation)
      watchers.removeAll { $0.count <= count }
      return content
    }
  }

  package let bootID: BootID
  private let state: Mutex<State>

  package init(
    now: BootInstant = BootInstant(nanoseconds: 1_000_000_000_000),
    wall: WallInstant = WallInstant(seconds: 1_800_000_000),
    bootID: BootID = BootID(high: 1, low: 2)
  ) {
    self.bootID = bootID
    state = Mutex(State(now: now, wall: wall))
  }

  package var now: BootInstant { state.withLock { $0.now } }
  package var wall: WallInstant { state.withLock { $0.wall } }

  /// How many tasks sleep on this clock.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// When the first of the sleepers is due.
  package var nextDue: BootInstant? { state.withLock { $0.sleepers.values.map(\.due).min() } }

  /// Moves both clocks and wakes whoever is due.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      state.wall = WallInstant(seconds: state.wall.seconds + duration.wholeSeconds)
      let due = state.sleepers.filter { $0.value.due <= state.now }
      for id in due.keys { state.sleepers.removeValue(forKey: id) }
      return due.values.sorted { $0.due < $1.due }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Moves the wall clock alone, as an administrator or NTP does.
  package func setWall(_ wall: WallInstant) { state.withLock { $0.wall = wall } }

  /// Returns as soon as at least `count` tasks sleep on this clock.
  package func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isContent = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isContent { continuation.resume() }
    }
  }

  package func sleep(until instant: BootInstant) async throws(CancellationError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let elapsed = await withTaskCancellationHandler {
      await withCheckedContinuation { add(Sleeper(due: instant, continuation: $0), id) }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(returning: false)
    }
    if !elapsed { throw CancellationError() }
  }

  private func add(_ sleeper: Sleeper, _ id: UInt64) {
    let (answer, watchers): (Bool?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
      if sleeper.due <= state.now { return (true, []) }
      if Task.isCancelled { return (false, []) }
      state.sleepers[id] = sleeper
      return (nil, state.takeWatchers())
    }
    if let answer { sleeper.continuation.resume(returning: answer) }
    for watcher in watchers { watcher.resume() }
  }
}
