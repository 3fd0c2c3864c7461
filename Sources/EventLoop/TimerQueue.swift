import Time

/// The deadlines of a loop: a binary heap, from which a cancelled one disappears when it reaches the top or when the
/// cancelled ones are the majority.
struct TimerQueue {
  typealias Body = @Sendable () -> Void

  private struct Entry {
    let due: BootInstant
    let id: UInt64
  }

  private var heap: [Entry] = []
  private var bodies: [UInt64: Body] = [:]
  private var lastID: UInt64 = 0

  /// How many deadlines are pending.
  var count: Int { bodies.count }

  /// The next due time, or nil when nothing is pending.
  var next: BootInstant? {
    mutating get {
      while let top = heap.first, bodies[top.id] == nil { removeTop() }
      return heap.first?.due
    }
  }

  mutating func insert(_ due: BootInstant, _ body: @escaping Body) -> UInt64 {
    lastID += 1
    bodies[lastID] = body
    heap.append(Entry(due: due, id: lastID))
    siftUp(heap.count - 1)
    return lastID
  }

  /// Returns the body if it was still pending, so that what it owns is not released with the loop's lock held.
  mutating func cancel(_ id: UInt64) -> Body? {
    guard let body = bodies.removeValue(forKey: id) else { return nil }
    if heap.count > 2 * bodies.count + 64 { compact() }
    return body
  }

  /// Takes one timer that is due.
  mutating func takeDue(_ now: BootInstant) -> Body? {
    guard let due = next, due <= now, let top = heap.first else { return nil }
    removeTop()
    return bodies.removeValue(forKey: top.id)
  }

  private mutating func compact() {
    heap.removeAll { bodies[$0.id] == nil }
    heap.sort { $0.due < $1.due }  // a sorted array is a heap
  }

  private mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, heap[child].due < heap[(child - 1) / 2].due {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[least].due {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
