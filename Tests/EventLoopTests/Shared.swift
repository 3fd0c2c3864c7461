import Synchronization

/// A value that several tasks and the loop look at.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func change<R: Sendable>(_ body: (inout sending Value) -> R) -> R {
    mutex.withLock { value in
      let result = body(&value)
      return result
    }
  }
}
