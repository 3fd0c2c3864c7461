import Synchronization

/// A value that comes once. Any number of tasks may wait for it, before and after it came.
package final class Latch<Value: Sendable>: Sendable {
  private enum State {
    case open([UInt64: CheckedContinuation<Value?, Never>])
    case settled(Value)
  }

  private let state = Mutex(State.open([:]))
  private let lastID = Atomic<UInt64>(0)

  package init() {}

  /// Gives the value to all who wait. A second value is dropped; returns whether this was the first.
  @discardableResult package func settle(_ value: Value) -> Bool {
    let waiting: [CheckedContinuation<Value?, Never>]? = state.withLock { state in
      guard case .open(let waiting) = state else { return nil }
      state = .settled(value)
      return Array(waiting.values)
    }
    waiting?.forEach { $0.resume(returning: value) }
    return waiting != nil
  }

  /// Returns the value as soon as it is there, or throws when the task is cancelled first.
  package func wait() async throws(CancellationError) -> Value {
    let id = lastID.add(1, ordering: .relaxed).newValue
    let value = await withTaskCancellationHandler {
      await withCheckedContinuation { add($0, id) }
    } onCancel: {
      leave(id)
    }
    guard let value else { throw CancellationError() }
    return value
  }

  /// A cancellation that comes before this is seen here; one that comes after finds the continuation in `leave`.
  private func add(_ continuation: CheckedContinuation<Value?, Never>, _ id: UInt64) {
    let answer: Value?? = state.withLock { state in
      switch state {
      case .settled(let value):
        return .some(value)
      case .open(var waiting):
        if Task.isCancelled { return .some(nil) }
        waiting[id] = continuation
        state = .open(waiting)
        return nil
      }
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func leave(_ id: UInt64) {
    let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
      guard case .open(var waiting) = state else { return nil }
      let found = waiting.removeValue(forKey: id)
      state = .open(waiting)
      return found
    }
    continuation?.resume(returning: nil)
  }
}
