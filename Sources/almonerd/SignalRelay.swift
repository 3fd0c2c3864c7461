import Synchronization

/// Takes signals from before there is anybody to hear them, and hands them to whoever listens.
final class SignalRelay: Sendable {
  private let listener = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  func listen(_ body: @escaping @Sendable (Int32) -> Void) { listener.withLock { $0 = body } }

  /// Runs on the loop.
  func deliver(_ signal: Int32) { listener.withLock { $0 }?(signal) }
}
