import EventLoop
import Testing
import Time

@Suite struct TimerTests {
  @Test func `timers run in the order of their due times`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let order = Shared<[Int]>([])
    let finished = Latch<Void>()
    let start = loop.now
    for place in [3, 1, 4, 0, 2] {
      _ = loop.schedule(at: start + .milliseconds(place)) {
        order.change { $0.append(place) }
        if place == 4 { finished.settle(()) }
      }
    }
    try await finished.wait()
    #expect(order.value == [0, 1, 2, 3, 4])
  }

  @Test func `a sleep is never too short`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let clock = try KernelClock(thread.loop)
    let due = clock.now + .milliseconds(20)
    try await clock.sleep(until: due)
    #expect(clock.now >= due)
  }

  @Test func `a sleep until the past returns`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    try await thread.loop.sleep(until: BootInstant(nanoseconds: 0))
  }

  @Test func `a sleep ends with the task`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let sleeping = Task { try await loop.sleep(until: BootInstant(nanoseconds: .max)) }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }

  @Test func `an earlier deadline shortens the sleep of a loop that waits for a later one`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    _ = loop.schedule(at: BootInstant(nanoseconds: .max)) {}
    try await loop.sleep(until: loop.now + .milliseconds(5))
  }

  @Test func `an idle loop asks the kernel once for each thing that happens`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let counts = Latch<[Int]>()
    // Two timers with nothing between them: the second is noticed by the poll after the first, or with the first when
    // the machine was late.
    let start = loop.now
    let first = Shared(0)
    _ = loop.schedule(at: start + .milliseconds(30)) { first.change { $0 = loop.pollCount } }
    _ = loop.schedule(at: start + .milliseconds(90)) { counts.settle([first.value, loop.pollCount]) }
    let found = try await counts.wait()
    #expect((0...1).contains(found[1] - found[0]))
  }

  @Test func `the kernel clock names this boot`() throws {
    let clock = try KernelClock(EventLoop())
    #expect(clock.bootID != BootID(high: 0, low: 0))
    #expect(clock.wall > WallInstant(seconds: 1_700_000_000))
  }
}
