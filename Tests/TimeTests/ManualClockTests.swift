import Testing
import Time

@Suite struct ManualClockTests {
  @Test func `winding the clock wakes whoever is due and nobody else`() async throws {
    let clock = ManualClock()
    let start = clock.now
    let early = Task { try await clock.sleep(until: start + .seconds(5)) }
    let late = Task { try await clock.sleep(until: start + .seconds(9)) }
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    try await early.value
    #expect(clock.sleeperCount == 1)
    #expect(clock.nextDue == start + .seconds(9))
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `a sleep until the past returns`() async throws {
    let clock = ManualClock()
    try await clock.sleep(until: clock.now)
  }

  @Test func `a step of the wall clock leaves the boot clock alone`() {
    let clock = ManualClock()
    let start = clock.now
    clock.setWall(WallInstant(seconds: 1))
    #expect(clock.now == start)
    #expect(clock.wall.seconds == 1)
  }
}
