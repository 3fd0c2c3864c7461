import Glibc
import Time

/// Now on both clocks: the boot clock for lifetimes, the wall clock for what is written into tokens.
struct Moment: Sendable {
  let boot: BootInstant
  let wall: WallInstant

  /// The kernel's now.
  static var now: Moment {
    var boot = timespec()
    var wall = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
    unsafe clock_gettime(CLOCK_REALTIME, &wall)
    return Moment(
      boot: BootInstant(nanoseconds: Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec)),
      wall: WallInstant(seconds: Int64(wall.tv_sec)))
  }
}
