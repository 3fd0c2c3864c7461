/// An instant on the wall clock (CLOCK_REALTIME), in whole seconds since 1970-01-01T00:00:00Z.
///
/// Only for what is written to disk or shown to a person: a wall clock may jump.
package struct WallInstant: Comparable, Hashable, Sendable {
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  package static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }
}
