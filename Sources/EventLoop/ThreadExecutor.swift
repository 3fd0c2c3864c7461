import CLinux

/// A named thread that runs the jobs of its actors one after another: where calls that block live.
///
/// An actor lives on it by returning `asUnownedSerialExecutor()` from `unownedExecutor`. The thread is never joined; it
/// lives as long as the process.
@safe package final class ThreadExecutor: SerialExecutor, Sendable {
  /// Bytes. libsecret and Argon2id need little stack; thirty-two such threads would still be small.
  static let stackSize = 256 << 10

  private struct Queue {
    var jobs = JobQueue()
    var thread: UInt = 0
  }

  /// A lock and a condition of C, made once and never freed.
  nonisolated(unsafe) private let monitor: OpaquePointer
  /// Touched only with `monitor` locked.
  nonisolated(unsafe) private var queue = Queue()

  /// Starts the thread. `name` has at most 15 bytes. Throws ``SystemError`` when the kernel has no thread to give.
  package init(name: String) throws(SystemError) {
    unsafe monitor = clinux_monitor_new()
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    let failure = unsafe clinux_start_thread(name, Self.stackSize, runThread, argument)
    guard failure == 0 else {
      unsafe Unmanaged<ThreadExecutor>.fromOpaque(argument).release()
      throw SystemError("pthread_create", failure)
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    unsafe clinux_monitor_lock(monitor)
    unsafe queue.jobs.append(UnownedJob(job))
    unsafe clinux_monitor_unlock(monitor)
    unsafe clinux_monitor_signal(monitor)
  }

  package func isIsolatingCurrentContext() -> Bool? { nil }

  fileprivate func runJobs() -> Never {
    while true { unsafe take().runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func take() -> UnownedJob {
    unsafe clinux_monitor_lock(monitor)
    defer { unsafe clinux_monitor_unlock(monitor) }
    while true {
      if let job = unsafe queue.jobs.take() { return job }
      unsafe clinux_monitor_wait(monitor)
    }
  }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  unsafe Unmanaged<ThreadExecutor>.fromOpaque(argument).takeRetainedValue().runJobs()
}
