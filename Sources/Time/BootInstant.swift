/// An instant on the clock that runs from boot and does not stand still in suspend (CLOCK_BOOTTIME).
///
/// Lifetimes of tokens run on it. It means nothing after a reboot: compare ``BootID`` first.
package struct BootInstant: Comparable, Hashable, Sendable {
  /// Nanoseconds since boot.
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Adds a duration; saturates instead of trapping, since a peer may have chosen the number.
  package static func + (instant: Self, duration: Duration) -> Self {
    let sum = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Self(nanoseconds: sum.overflow ? .max : sum.partialValue)
  }

  package static func - (left: Self, right: Self) -> Duration {
    .nanoseconds(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds).partialValue)
  }
}

extension Duration {
  /// The duration in nanoseconds, saturated to what 64 bits hold.
  package var wholeNanoseconds: Int64 {
    let parts = components
    let scaled = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if scaled.overflow { return parts.seconds < 0 ? .min : .max }
    let sum = scaled.partialValue.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
    return sum.overflow ? .max : sum.partialValue
  }

  /// The duration in whole seconds, rounded down.
  package var wholeSeconds: Int64 { components.seconds }
}
