import CLinux
import Glibc
import Synchronization
package import Time

/// One thread that waits for descriptors, timers and jobs, and runs them: the executor of the daemon's actors.
///
/// An actor lives on it by returning `asUnownedSerialExecutor()` from `unownedExecutor`; a handler may then enter the
/// actor with `assumeIsolated`, without a task. Nothing that blocks may run here. While nothing is due the thread sleeps
/// in the kernel; there is no tick.
@safe package final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
  /// Jobs run before descriptors are looked at again, so that tasks that feed each other do not starve the socket.
  static let jobsPerTurn = 256

  private let epoll: Int32
  private let bell: Int32
  private let timer: Int32
  private let agenda = Mutex(Agenda())
  private let sources = Mutex(SourceTable())
  private let armed = Mutex<BootInstant?>(nil)
  /// `pthread_self()` of the thread that runs it; 0 while none does.
  private let thread = Atomic<UInt>(0)
  private let polls = Atomic<Int>(0)

  /// Throws ``SystemError`` when the kernel has no descriptors to give.
  package init() throws(SystemError) {
    epoll = clinux_epoll()
    bell = clinux_bell()
    timer = clinux_boot_timer()
    guard epoll >= 0, bell >= 0, timer >= 0 else { throw SystemError("epoll_create1") }
    try watch(bell) { [bell] _ in clinux_hush(bell) }
    try watch(timer) { [unowned self] _ in fireTimers() }
  }

  deinit { for descriptor in [epoll, bell, timer] { close(descriptor) } }

  /// How often the thread has asked the kernel for events. Does not move while the loop is idle.
  package var pollCount: Int { polls.load(ordering: .relaxed) }

  /// Runs the loop on this thread for ever.
  package func run() -> Never {
    run(until: { false })
    preconditionFailure("unreachable: the loop has no end")
  }

  /// Runs the loop on this thread until `isDone` says so after a turn. Ring ``wake()`` when that changed elsewhere.
  package func run(until isDone: () -> Bool) {
    thread.store(UInt(pthread_self()), ordering: .releasing)
    defer { thread.store(0, ordering: .releasing) }
    unsafe withUnsafeTemporaryAllocation(of: clinux_event.self, capacity: Int(CLINUX_EVENTS_AT_ONCE)) { room in
      guard let events = room.baseAddress else { return }
      while !isDone() { unsafe turn(events) }
    }
  }

  /// Ends the thread's sleep, so that ``run(until:)`` looks at its condition.
  package func wake() { clinux_ring(bell) }

  /// Watches a descriptor; `handler` runs on the loop each time it is ready (level-triggered).
  ///
  /// The descriptor stays the caller's and must outlive the registration. Throws ``SystemError``.
  package func register(
    _ descriptor: Int32, _ interest: Interest, _ handler: @escaping @Sendable (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    let token = sources.withLock { $0.insert(handler) }
    guard clinux_epoll_add(epoll, descriptor, interest.events, token) == 0 else {
      _ = sources.withLock { $0.remove(token) }
      throw SystemError("epoll_ctl")
    }
    return Registration(self, descriptor, token, interest)
  }

  /// Runs `body` on the loop at `due` (boot clock) or soon after, unless the timer is cancelled first.
  package func schedule(at due: BootInstant, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
    let (id, mustWake) = agenda.withLock { agenda in
      let before = agenda.timers.next
      let id = agenda.timers.insert(due, body)
      return (id, agenda.ring(if: before.map { due < $0 } ?? true))
    }
    if mustWake { wake() }
    return LoopTimer(self, id)
  }

  /// Runs `body` on the loop after every descriptor that is ready now had its turn: for long work in slices.
  package func putOff(_ body: @escaping @Sendable () -> Void) {
    let mustWake = agenda.withLock { agenda in
      agenda.putOff.append(body)
      return agenda.ring(if: true)
    }
    if mustWake { wake() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = agenda.withLock { agenda in
      agenda.jobs.append(job)
      return agenda.ring(if: true)
    }
    if mustWake { wake() }
  }

  package func checkIsolated() {
    precondition(isCurrent, "called from another thread than the event loop's")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the caller is on the loop's thread.
  package var isCurrent: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }

  func change(_ descriptor: Int32, _ token: UInt64, to interest: Interest) {
    _ = clinux_epoll_change(epoll, descriptor, interest.events, token)
  }

  func remove(_ descriptor: Int32, _ token: UInt64) {
    let dropped = sources.withLock { $0.remove(token) }
    withExtendedLifetime(dropped) {}
    _ = clinux_epoll_remove(epoll, descriptor)
  }

  func cancel(timer id: UInt64) -> Bool {
    let dropped = agenda.withLock { $0.timers.cancel(id) }
    return dropped != nil
  }

  private func watch(_ descriptor: Int32, _ handler: @escaping @Sendable (Readiness) -> Void) throws(SystemError) {
    let token = sources.withLock { $0.insert(handler) }
    guard clinux_epoll_add(epoll, descriptor, clinux_readable, token) == 0 else { throw SystemError("epoll_ctl") }
  }
}

// One turn of the loop.
extension EventLoop {
  private func turn(_ events: UnsafeMutablePointer<clinux_event>) {
    runJobs()
    let (mayBlock, next) = agenda.withLock { agenda in
      agenda.isSleeping = !agenda.hasWork
      return (agenda.isSleeping, agenda.timers.next)
    }
    if mayBlock { arm(next) }
    polls.add(1, ordering: .relaxed)
    let count = unsafe clinux_epoll_wait(epoll, events, mayBlock ? 1 : 0)
    precondition(count >= 0, "the event loop's own descriptors are gone")
    let putOff = agenda.withLock { agenda in
      agenda.isSleeping = false
      return agenda.takePutOff()
    }
    for index in 0..<Int(count) {
      let event = unsafe events[index]
      sources.withLock { $0.handler(for: event.token) }?(Readiness(events: event.events))
    }
    for body in putOff { body() }
    // The kernel's timer is set only before a sleep; who works without one looks at the clock.
    if !mayBlock { runDue() }
  }

  private func runJobs() {
    for _ in 0..<Self.jobsPerTurn {
      guard let job = agenda.withLock({ $0.jobs.take() }) else { return }
      unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  /// The kernel's timer is touched only when the next due time is another one than last time.
  private func arm(_ next: BootInstant?) {
    armed.withLock { armed in
      guard armed != next else { return }
      armed = next
      // 0 would disarm, and what is past is due at once.
      _ = clinux_arm(timer, next.map { max(1, $0.nanoseconds) } ?? 0)
    }
  }

  private func fireTimers() {
    clinux_hush(timer)
    armed.withLock { $0 = nil }
    runDue()
  }

  private func runDue() {
    let now = BootInstant(nanoseconds: clinux_boot_nanoseconds())
    while let body = agenda.withLock({ $0.timers.takeDue(now) }) { body() }
  }
}
