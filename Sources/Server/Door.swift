import CLinux
import EventLoop
import Glibc
import LocalSocket
import Secrets
import Wire

/// Where connections come in. It belongs to the server and is touched on the loop only.
final class Door {
  enum Arrival {
    case connected(Int32)
    case nobody
    /// No descriptor is left. One caller was turned away by the reserve, so the door has to be paused.
    case exhausted
  }

  private let listener: LocalListener
  private let registration: Registration
  /// Kept to be given up when no descriptor is left: then one can still be accepted, to be told so.
  private var reserve: Int32

  /// `knock` runs on the loop when somebody waits. Throws ``SystemError``.
  init(_ listener: LocalListener, on loop: EventLoop, _ knock: @escaping @Sendable () -> Void) throws(SystemError) {
    self.listener = listener
    registration = try loop.register(listener.descriptor, .read) { _ in knock() }
    reserve = Self.makeReserve()
  }

  deinit {
    registration.cancel()
    if reserve >= 0 { close(reserve) }
  }

  /// The next who waits.
  func accept() -> Arrival {
    let descriptor = clinux_accept(listener.descriptor)
    if descriptor >= 0 { return .connected(descriptor) }
    switch errno {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS:
      spendReserve()
      return .exhausted
    default: return .nobody
    }
  }

  /// Nobody is let in, and nobody knocks, until ``resume()``.
  func pause() { registration.update([]) }

  func resume() {
    if reserve < 0 { reserve = Self.makeReserve() }
    registration.update(.read)
  }

  /// Tells a caller that there is no room, without waiting for its call, and closes.
  static func turnAway(_ descriptor: Int32) {
    var frame = WipedBuffer()
    frame.appendError(.almoner(.busy(message: "Too many connections.", retryAfter: 1, help: "")))
    // Whether it arrives or not, the connection ends.
    _ = unsafe frame.withUnsafeBytes { bytes in unsafe clinux_send(descriptor, bytes.baseAddress, bytes.count) }
    close(descriptor)
  }

  private func spendReserve() {
    guard reserve >= 0 else { return }
    close(reserve)
    let descriptor = clinux_accept(listener.descriptor)
    if descriptor >= 0 { Self.turnAway(descriptor) }
    reserve = Self.makeReserve()
  }

  private static func makeReserve() -> Int32 { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
