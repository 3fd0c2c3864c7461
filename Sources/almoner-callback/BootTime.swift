import Glibc

/// The clock that runs from boot and does not stand still in suspend.
enum BootTime {
  /// Time since boot.
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// A duration as `poll` wants it: milliseconds, rounded up so that nobody wakes too early and turns in circles.
  static func pollTimeout(_ duration: Duration) -> Int32 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
