import CLinux

/// A moment on CLOCK_BOOTTIME after which a call gives up.
package struct Deadline: Sendable {
  let nanoseconds: Int64

  /// So long from now; the past when negative.
  package init(in duration: Duration) {
    let parts = duration.components
    let scaled = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let whole = scaled.partialValue.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
    let sum = clinux_boot_nanoseconds().addingReportingOverflow(whole.partialValue)
    let overflows = scaled.overflow || whole.overflow || sum.overflow
    nanoseconds = overflows ? (parts.seconds < 0 ? 0 : .max) : sum.partialValue
  }

  /// No end: for a stream whose next event may be days away.
  package static let never = Self(nanoseconds: .max)

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// How much is left.
  var remaining: Int64 { max(0, nanoseconds - clinux_boot_nanoseconds()) }
}
