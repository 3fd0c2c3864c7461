import Synchronization

/// Hands every event to every watcher. A watcher that does not keep up loses its oldest events, never delays anybody.
package final class EventHub: Sendable {
  /// Events kept for one watcher that does not read.
  package static let backlog = 64

  private struct Watchers {
    var next: UInt64 = 0
    var streams: [UInt64: AsyncStream<VaultEvent>.Continuation] = [:]
  }

  private let watchers = Mutex(Watchers())

  package init() {}

  package func publish(_ event: VaultEvent) {
    for stream in watchers.withLock({ Array($0.streams.values) }) { stream.yield(event) }
  }

  /// A new watcher; it ends when the task that reads it is cancelled or ``closeAll()`` is called.
  package func watch() -> AsyncStream<VaultEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: VaultEvent.self, bufferingPolicy: .bufferingNewest(Self.backlog))
    let id = watchers.withLock { watchers in
      watchers.next += 1
      watchers.streams[watchers.next] = continuation
      return watchers.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.watchers.withLock { _ = $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Ends every watcher's stream.
  package func closeAll() {
    for stream in watchers.withLock({ Array($0.streams.values) }) { stream.finish() }
  }
}
