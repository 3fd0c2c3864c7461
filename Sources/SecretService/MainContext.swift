import CSecret

/// The GMainContext to which the objects of one thread report. libsecret's objects listen to signals; nobody runs a
/// main loop for them, so what they heard is worked off after each call instead of piling up.
@safe final class MainContext {
  /// The most signals worked off at once; the rest waits for the next call.
  private static let signalLimit = 10_000

  private let pointer: OpaquePointer

  init() {
    guard let pointer = unsafe g_main_context_new() else { preconditionFailure("GLib aborts when out of memory") }
    unsafe self.pointer = pointer
  }

  deinit { unsafe g_main_context_unref(pointer) }

  /// Runs `body` with this as the thread's context, then works off what was heard.
  func run<Answer>(_ body: () throws(KeyringError) -> Answer) throws(KeyringError) -> Answer {
    unsafe g_main_context_push_thread_default(pointer)
    defer {
      drain()
      unsafe g_main_context_pop_thread_default(pointer)
    }
    return try body()
  }

  private func drain() {
    for _ in 0..<Self.signalLimit where unsafe g_main_context_iteration(pointer, 0) == 0 { return }
  }

  /// The context that the thread runs in now, to sleep in and to be woken from any thread.
  @safe final class Bell: Sendable {
    /// GLib lets any thread wake a context.
    nonisolated(unsafe) private let pointer: OpaquePointer

    init() {
      guard let pointer = unsafe g_main_context_ref_thread_default() else {
        preconditionFailure("GLib always has a context")
      }
      unsafe self.pointer = pointer
    }

    deinit { unsafe g_main_context_unref(pointer) }

    /// Sleeps until something is heard or the bell rings; a ring that came before counts.
    func waitForOne() { _ = unsafe g_main_context_iteration(pointer, 1) }

    func ring() { unsafe g_main_context_wakeup(pointer) }
  }
}
