/// Where the time comes from: the kernel in the daemon, a hand-wound clock in tests.
package protocol Clock: Sendable {
  /// Now, on CLOCK_BOOTTIME.
  var now: BootInstant { get }
  /// Now, on the wall clock.
  var wall: WallInstant { get }
  /// The boot that `now` belongs to.
  var bootID: BootID { get }
  /// Returns at `instant` or soon after, or throws when the task is cancelled.
  func sleep(until instant: BootInstant) async throws(CancellationError)
}
