/// What a loop has to do that did not come from a descriptor, and whether its thread would notice.
struct Agenda {
  var jobs = JobQueue()
  var timers = TimerQueue()
  /// Whether the thread is, or is about to be, in the kernel: then whoever adds work has to ring.
  var isSleeping = false

  /// Whether to ring the bell for what was just added. Only the first to ask has to.
  mutating func ring(if isNews: Bool) -> Bool {
    guard isSleeping, isNews else { return false }
    isSleeping = false
    return true
  }
}
