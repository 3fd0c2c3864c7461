import CSecret
import Synchronization

/// Ends one or more calls to libsecret from another thread: by deadline, or because nobody waits any more.
@safe final class Cancellation: Sendable {
  /// A GCancellable, which any thread may use.
  nonisolated(unsafe) let pointer: UnsafeMutablePointer<GCancellable>
  /// Who sleeps until a signal comes, or this is cancelled.
  private let sleeper = Mutex(MainContext.Bell?.none)

  init() {
    guard let pointer = unsafe g_cancellable_new() else { preconditionFailure("GLib aborts when out of memory") }
    unsafe self.pointer = pointer
  }

  deinit { unsafe g_object_unref(pointer) }

  var isCancelled: Bool { unsafe g_cancellable_is_cancelled(pointer) != 0 }

  /// Makes calls that run under it return at once. Later ones do not start.
  func cancel() {
    unsafe g_cancellable_cancel(pointer)
    sleeper.withLock { $0 }?.ring()
  }

  /// Returns when `isOver` holds or this is cancelled; meanwhile what the thread's context hears is worked off.
  func sleep(until isOver: () -> Bool) {
    let bell = MainContext.Bell()
    sleeper.withLock { $0 = bell }
    defer { sleeper.withLock { $0 = nil } }
    while !isOver(), !isCancelled { bell.waitForOne() }
  }
}
