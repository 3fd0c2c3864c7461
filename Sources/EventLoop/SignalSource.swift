import CLinux
import Glibc

/// Signals as events of a loop: they interrupt nothing and run no handler of their own.
package final class SignalSource: Sendable {
  private let descriptor: Int32
  private let registration: Registration

  /// Blocks `signals` in the calling thread and reports each on the loop from now on.
  ///
  /// Make it before other threads start: a thread inherits the mask of the one that made it. A child does too, so
  /// whoever starts one gives it an empty mask. Throws ``SystemError``.
  package init(
    _ signals: [Int32], on loop: EventLoop, _ handler: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    let descriptor = unsafe clinux_signals(signals, Int32(signals.count))
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    do {
      registration = try loop.register(descriptor, .read) { _ in
        while case let signal = clinux_next_signal(descriptor), signal > 0 { handler(signal) }
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    registration.cancel()
    close(descriptor)
  }
}
