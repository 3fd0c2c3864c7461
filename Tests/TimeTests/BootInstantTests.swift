import Testing
import Time

@Suite struct BootInstantTests {
  @Test func `a duration later is later by that much`() {
    let start = BootInstant(nanoseconds: 5)
    #expect((start + .milliseconds(2)).nanoseconds == 2_000_005)
    #expect(start + .milliseconds(2) > start)
    #expect((start + .milliseconds(2)) - start == .milliseconds(2))
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000)])
  func `a duration that somebody chose saturates`(duration: Duration) {
    #expect(BootInstant(nanoseconds: .max - 1) + duration == BootInstant(nanoseconds: .max))
  }

  @Test func `an earlier instant is a negative duration away`() {
    #expect(BootInstant(nanoseconds: 1) - BootInstant(nanoseconds: 3) == .nanoseconds(-2))
  }

  @Test(arguments: [
    (Duration.seconds(2), Int64(2_000_000_000)), (.nanoseconds(-7), -7), (.zero, 0), (.seconds(Int64.max), .max),
    (.seconds(Int64.min), .min), (.seconds(9_223_372_036) + .nanoseconds(854_775_807), .max),
    (.seconds(9_223_372_036) + .nanoseconds(854_775_808), .max),
  ])
  func `a duration in nanoseconds saturates`(duration: Duration, nanoseconds: Int64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
  }

  @Test func `whole seconds leave the rest out`() {
    #expect(Duration.milliseconds(2999).wholeSeconds == 2)
  }

  @Test func `wall instants are ordered by their seconds`() {
    #expect(WallInstant(seconds: 1) < WallInstant(seconds: 2))
  }

  @Test func `two boots are told apart`() {
    #expect(BootID(high: 1, low: 2) != BootID(high: 2, low: 1))
  }
}
