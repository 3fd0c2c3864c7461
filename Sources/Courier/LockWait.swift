import CLinux
import Configuration
import EventLoop
import Journal

/// A wait for the end of a courier, on a thread of its own: the kernel reports the freeing of a lock in no other way.
final class LockWait: Sendable {
  private static let stackSize = 64 << 10

  private let state: PrivateDirectory
  private let name: String
  private let user: UInt32
  private let latch = Latch<Void>()

  init(in state: PrivateDirectory, name: String, user: UInt32) {
    self.state = state
    self.name = name
    self.user = user
  }

  /// Starts the thread. Returns false when there is none to be had.
  func start() -> Bool {
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    if unsafe clinux_start_thread("lock-wait", Self.stackSize, runLockWait, argument) == 0 { return true }
    unsafe Unmanaged<LockWait>.fromOpaque(argument).release()
    return false
  }

  /// Blocks this thread until nobody holds the lock.
  func run() {
    do {
      let folder = try JournalDirectory(FileJournal.directoryName, in: state.descriptor, user: user)
      try JournalFile(folder, name).waitUntilLanded()
    } catch {
      // No file, no courier that could still land in it.
    }
    latch.settle(())
  }

  /// Returns when nobody holds the lock, or the task is cancelled.
  func ended() async {
    do { try await latch.wait() } catch {}
  }
}

private func runLockWait(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  unsafe Unmanaged<LockWait>.fromOpaque(argument).takeRetainedValue().run()
}
