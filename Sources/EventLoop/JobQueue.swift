/// Jobs in the order in which they came: one array is filled while the other is drained.
struct JobQueue {
  private var incoming: [UnownedJob] = []
  private var outgoing: [UnownedJob] = []
  private var next = 0

  var isEmpty: Bool { next == outgoing.count && incoming.isEmpty }

  mutating func append(_ job: UnownedJob) { incoming.append(job) }

  mutating func take() -> UnownedJob? {
    if next == outgoing.count {
      outgoing.removeAll(keepingCapacity: true)
      swap(&incoming, &outgoing)
      next = 0
    }
    guard next < outgoing.count else { return nil }
    defer { next += 1 }
    return outgoing[next]
  }
}
