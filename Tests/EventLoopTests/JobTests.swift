import EventLoop
import Glibc
import Synchronization
import Testing
import Time

/// An actor whose jobs run on a loop.
actor Counter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private(set) var count = 0

  init(_ loop: EventLoop) { self.loop = loop }

  func increment() { count += 1 }
  func isOnLoop() -> Bool { loop.isCurrent }
}

@Suite struct JobTests {
  @Test func `an actor runs on the loop's thread`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    #expect(await Counter(thread.loop).isOnLoop())
  }

  @Test func `a task that prefers the loop runs on the loop's thread`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    #expect(await Task(executorPreference: loop) { loop.isCurrent }.value)
  }

  @Test func `an actor may be entered without a task from a handler`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let counter = Counter(thread.loop)
    let entered = Latch<Int>()
    _ = thread.loop.schedule(at: thread.loop.now) {
      entered.settle(
        counter.assumeIsolated {
          $0.increment(); return $0.count
        })
    }
    #expect(try await entered.wait() == 1)
  }

  @Test func `no job of many callers at once is lost`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let counter = Counter(thread.loop)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2000 { group.addTask { await counter.increment() } }
    }
    #expect(await counter.count == 2000)
  }

  @Test func `tasks that feed each other do not starve a descriptor`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let seen = Latch<Void>()
    let isDone = Shared(false)
    let pipe = try Pipe()
    let registration = try loop.register(pipe.readEnd, .read) { _ in seen.settle(()) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) {
        pipe.write("x")
        while !isDone.value { await Task.yield() }
      }
      group.addTask {
        do { try await seen.wait() } catch { Issue.record("cancelled") }
        isDone.change { $0 = true }
      }
    }
    registration.cancel()
  }

  @Test func `what is put off comes after the descriptors that are ready, and once a turn`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let order = Shared<[String]>([])
    let isDone = Latch<Void>()
    let pipe = try Pipe()
    pipe.write("x")
    let registration = try loop.register(pipe.readEnd, .read) { _ in
      // Ready in every turn.
      order.change { $0.append("ready") }
      guard order.value.count == 1 else { return }
      loop.putOff {
        order.change { $0.append("put off") }
        loop.putOff {
          order.change { $0.append("again") }
          isDone.settle(())
        }
      }
    }
    try await isDone.wait()
    registration.cancel()
    #expect(order.value.prefix(4) == ["ready", "ready", "put off", "ready"])
  }

  @Test func `who puts off without end does not starve a timer`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let isDone = Latch<Void>()
    let busy = Busy(thread.loop)
    thread.loop.putOff { busy.go() }
    _ = thread.loop.schedule(at: thread.loop.now + .milliseconds(1)) {
      busy.isOver.change { $0 = true }
      isDone.settle(())
    }
    try await isDone.wait()
  }

  @Test func `what another thread puts off wakes the loop`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let isDone = Latch<Void>()
    thread.loop.putOff { isDone.settle(()) }
    try await isDone.wait()
  }

  @Test func `a thread executor runs its actor's jobs one after another on its own thread`() async throws {
    let worker = try Worker()
    let threads = await withTaskGroup(of: UInt.self) { group in
      for _ in 0..<500 { group.addTask { await worker.work() } }
      return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
    }
    #expect(threads.count == 1)
    #expect(await worker.overlaps == 0)
  }
}

/// An actor whose jobs may block.
actor Worker {
  private let thread: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
  private let inside = Atomic<Int>(0)
  private(set) var overlaps = 0

  init() throws { thread = try ThreadExecutor(name: "worker") }

  func work() -> UInt {
    if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps += 1 }
    inside.subtract(1, ordering: .relaxed)
    return UInt(pthread_self())
  }
}

/// Work that never ends, in slices.
final class Busy: Sendable {
  let isOver = Shared(false)
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func go() {
    if !isOver.value { loop.putOff { self.go() } }
  }
}
