import Synchronization

/// Keeps a descriptor watched. It ends with ``cancel()`` or when the last owner lets it go, in either case before the
/// descriptor may be closed.
package final class Registration: Sendable {
  private enum State {
    case watching(Interest)
    case ended
  }

  private let loop: EventLoop
  private let descriptor: Int32
  private let token: UInt64
  private let state: Mutex<State>

  init(_ loop: EventLoop, _ descriptor: Int32, _ token: UInt64, _ interest: Interest) {
    self.loop = loop
    self.descriptor = descriptor
    self.token = token
    state = Mutex(.watching(interest))
  }

  deinit { cancel() }

  /// Watches for something else from now on. Does nothing once ended.
  package func update(_ interest: Interest) {
    state.withLock { state in
      guard case .watching(let present) = state, present != interest else { return }
      state = .watching(interest)
      loop.change(descriptor, token, to: interest)
    }
  }

  /// Ends the watch: called on the loop, the handler will not run again.
  package func cancel() {
    let isFirst = state.withLock { state in
      guard case .watching = state else { return false }
      state = .ended
      return true
    }
    if isFirst { loop.remove(descriptor, token) }
  }
}
