import CLinux
import EventLoop
import Time

/// Gives memory back after work that happens rarely: signing in, refreshing, unlocking. Memory is a feature.
actor MemoryTrimmer {
  /// Long enough for the work to be over.
  static let pause = Duration.milliseconds(250)

  private let clock: any Clock
  private let storage: ThreadExecutor
  private var isPending = false
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe storage.asUnownedSerialExecutor() }

  init(clock: any Clock, storage: ThreadExecutor) {
    self.clock = clock
    self.storage = storage
  }

  /// Trims in a moment; calls in between are one.
  func trimSoon() async {
    guard !isPending else { return }
    isPending = true
    defer { isPending = false }
    do { try await clock.sleep(until: clock.now + Self.pause) } catch { return }
    clinux_trim_memory()
  }
}
