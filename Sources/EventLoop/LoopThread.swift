import CLinux
import Synchronization

/// An event loop on a thread of its own, for programs and tests whose main thread has other work.
package final class LoopThread: Sendable {
  /// Bytes.
  static let stackSize = 1 << 20

  package let loop: EventLoop
  private let isStopped = Atomic<Bool>(false)

  /// Starts the thread. `name` has at most 15 bytes. Throws ``SystemError``.
  package init(name: String) throws(SystemError) {
    loop = try EventLoop()
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    let failure = unsafe clinux_start_thread(name, Self.stackSize, runLoop, argument)
    guard failure == 0 else {
      unsafe Unmanaged<LoopThread>.fromOpaque(argument).release()
      throw SystemError("pthread_create", failure)
    }
  }

  /// Ends the loop after its present turn.
  package func stop() {
    isStopped.store(true, ordering: .releasing)
    loop.wake()
  }

  fileprivate func run() { loop.run { isStopped.load(ordering: .acquiring) } }
}

private func runLoop(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  unsafe Unmanaged<LoopThread>.fromOpaque(argument).takeRetainedValue().run()
}
