import EventLoop
import Glibc
import Testing

@Suite struct DescriptorTests {
  @Test func `a handler hears that its descriptor is readable`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let pipe = try Pipe()
    let heard = Latch<String>()
    let registration = try thread.loop.register(pipe.readEnd, .read) { _ in heard.settle(pipe.readAll()) }
    pipe.write("coin")
    #expect(try await heard.wait() == "coin")
    registration.cancel()
  }

  @Test func `an event of a dropped descriptor never reaches the next owner of its number`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let (first, second) = (try Pipe(), try Pipe())
    let wrong = Shared(0)
    let registrations = Shared<[Registration]>([])
    let finished = Latch<Void>()
    // Both are ready in the same turn; whichever comes first drops the other and registers it anew for writing only.
    let ready: @Sendable (Readiness) -> Void = { _ in
      registrations.change { all in
        all.forEach { $0.cancel() }
        all = []
      }
      for pipe in [first, second] {
        do {
          let idle = try loop.register(pipe.writeEnd, []) { _ in wrong.change { $0 += 1 } }
          registrations.change { $0.append(idle) }
        } catch { Issue.record(error) }
      }
      _ = loop.schedule(at: loop.now) { finished.settle(()) }
    }
    await Task(executorPreference: loop) {
      first.write("x")
      second.write("x")
      for pipe in [first, second] {
        do {
          let registration = try loop.register(pipe.readEnd, .read, ready)
          registrations.change { $0.append(registration) }
        } catch { Issue.record(error) }
      }
    }.value
    try await finished.wait()
    #expect(wrong.value == 0)
  }

  @Test func `a cancelled registration is silent`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let pipe = try Pipe()
    let calls = Shared(0)
    let registration = try loop.register(pipe.readEnd, .read) { _ in calls.change { $0 += 1 } }
    await Task(executorPreference: loop) { registration.cancel() }.value
    pipe.write("x")
    try await loop.sleep(until: loop.now)
    #expect(calls.value == 0)
  }

  @Test func `waiting for readiness ends with the task`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let pipe = try Pipe()
    let waiting = Task { try await loop.readiness(of: pipe.readEnd, .read) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `waiting for readiness tells a hang-up`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    close(ends[1])
    let ready = try await thread.loop.readiness(of: ends[0], .read)
    close(ends[0])
    #expect(ready.contains(.hangup))
  }

  @Test func `a descriptor that cannot be watched is an error`() throws {
    let loop = try EventLoop()
    #expect(throws: SystemError("epoll_ctl", EBADF)) { try loop.register(9999, .read) { _ in } }
  }
}
