import CLinux
package import Time

extension EventLoop {
  /// Now, on CLOCK_BOOTTIME.
  package var now: BootInstant { BootInstant(nanoseconds: clinux_boot_nanoseconds()) }

  /// Returns at `instant` (boot clock) or soon after, or throws when the task is cancelled.
  package func sleep(until instant: BootInstant) async throws(CancellationError) {
    let latch = Latch<Void>()
    let timer = schedule(at: instant) { latch.settle(()) }
    defer { timer.cancel() }
    try await latch.wait()
  }

  /// Returns what the descriptor is ready for, as soon as it is ready for any of `interest`.
  ///
  /// Throws `CancellationError`, or ``SystemError`` when the descriptor cannot be watched.
  package func readiness(of descriptor: Int32, _ interest: Interest) async throws -> Readiness {
    let latch = Latch<Readiness>()
    let registration = try register(descriptor, interest.union(.once)) { latch.settle($0) }
    defer { registration.cancel() }
    return try await latch.wait()
  }
}
