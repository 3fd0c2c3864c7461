/// What a loop has to do that did not come from a descriptor, and whether its thread would notice.
struct Agenda {
  var jobs = JobQueue()
  var timers = TimerQueue()
  /// What was put off until the descriptors have been looked at.
  var putOff: [@Sendable () -> Void] = []
  /// Whether the thread is, or is about to be, in the kernel: then whoever adds work has to ring.
  var isSleeping = false

  /// Whether there is work that needs no event to come.
  var hasWork: Bool { !jobs.isEmpty || !putOff.isEmpty }

  /// Takes what is put off. What is put off by it waits for the next time.
  mutating func takePutOff() -> [@Sendable () -> Void] {
    guard !putOff.isEmpty else { return [] }
    defer { putOff = [] }
    return putOff
  }

  /// Whether to ring the bell for what was just added. Only the first to ask has to.
  mutating func ring(if isNews: Bool) -> Bool {
    guard isSleeping, isNews else { return false }
    isSleeping = false
    return true
  }
}
