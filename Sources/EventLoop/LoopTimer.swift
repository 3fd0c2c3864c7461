/// A pending deadline of a loop. Letting go of it does not cancel it.
package struct LoopTimer: Sendable {
  private let loop: EventLoop
  private let id: UInt64

  init(_ loop: EventLoop, _ id: UInt64) {
    self.loop = loop
    self.id = id
  }

  /// Calls it off. Returns false when it has run, is running, or was cancelled before.
  @discardableResult package func cancel() -> Bool { loop.cancel(timer: id) }
}
