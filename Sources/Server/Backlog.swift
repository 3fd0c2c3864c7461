/// Connections that have more calls than one turn answers, each once, first come, first served.
struct Backlog {
  private var waiting: [UInt64] = []
  private var next = 0
  /// Whether it will be served without anybody asking.
  var isScheduled = false

  var isEmpty: Bool { next == waiting.count }

  mutating func append(_ connection: UInt64) { waiting.append(connection) }

  mutating func take() -> UInt64? {
    guard next < waiting.count else { return nil }
    defer { compact() }
    next += 1
    return waiting[next - 1]
  }

  /// Drops what is taken once it is the larger part.
  private mutating func compact() {
    guard isEmpty || next > 256 && next > waiting.count / 2 else { return }
    waiting.removeFirst(next)
    next = 0
  }
}
