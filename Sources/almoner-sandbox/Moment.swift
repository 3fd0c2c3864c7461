import Glibc
import Synchronization
import Time

/// Now on both clocks: the boot clock for lifetimes, the wall clock for what is written into tokens.
struct Moment: Sendable {
  let boot: BootInstant
  let wall: WallInstant

  /// Seconds that this process is ahead of the kernel, for tests that cannot wait until tomorrow.
  private static let ahead = Atomic<Int64>(0)

  /// Goes forward on both clocks, and never back.
  static func advance(by seconds: Int64) { ahead.add(max(0, seconds), ordering: .relaxed) }

  /// The kernel's now, and what we are ahead of it.
  static var now: Moment {
    var boot = timespec()
    var wall = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
    unsafe clock_gettime(CLOCK_REALTIME, &wall)
    let more = ahead.load(ordering: .relaxed)
    return Moment(
      boot: BootInstant(nanoseconds: (Int64(boot.tv_sec) + more) * 1_000_000_000 + Int64(boot.tv_nsec)),
      wall: WallInstant(seconds: Int64(wall.tv_sec) + more))
  }
}
