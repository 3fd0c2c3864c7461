import Exchange
import Secrets
import Synchronization
import Vault

/// Journals in memory. The carrier of the same world puts pads into it, as a courier would.
final class MemoryJournal: RotationJournal {
  struct File {
    var intent = JournalReading.Intent.none
    var departed = false
    var pad: HTTPAnswer?
    var isFlying = false
    var forged = 0
    var isNarrowed = false
  }

  let files = Mutex([AccountID: File]())
  let trouble = Mutex(JournalError?.none)
  /// What reading meets.
  let damage = Mutex(JournalError?.none)
  /// How often what landed cannot be read.
  let unreadable = Mutex(0)
  private let quay = Mutex(Quay())

  private struct Quay {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private func check() throws(JournalError) {
    if let trouble = trouble.withLock({ $0 }) { throw trouble }
  }

  func prepare(_ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { if $0[context.account] == nil { $0[context.account] = File() } }
  }

  func read(_ context: JournalContext) async throws(JournalError) -> JournalReading {
    if let damage = damage.withLock({ $0 }) { throw damage }
    let file = files.withLock { $0[context.account] } ?? File()
    return JournalReading(
      intent: file.intent, isFlying: file.isFlying, departed: file.departed, pad: file.pad,
      isNarrowed: file.isNarrowed, forged: file.forged)
  }

  func write(_ intent: SendingIntent, _ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { $0[context.account] = File(intent: .sending(intent), isNarrowed: intent.isNarrowed) }
  }

  func settle(_ idle: IdleIntent, _ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { $0[context.account]?.intent = .idle(idle) }
  }

  func landing(_ context: JournalContext) async throws(JournalError) -> HTTPAnswer? {
    let isRefused = unreadable.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if isRefused { throw .storage("too many open files") }
    return files.withLock { $0[context.account]?.pad }
  }

  func courierGone(_ account: AccountID) async {
    await withCheckedContinuation { continuation in
      let watching = quay.withLock { quay in
        quay.waiting.append(continuation)
        defer { quay.watching = [] }
        return quay.watching
      }
      for watcher in watching { watcher.resume() }
    }
  }

  /// Returns when somebody waits for a courier to come home.
  func awaited() async {
    await withCheckedContinuation { continuation in
      let isAwaited = quay.withLock { quay in
        if quay.waiting.isEmpty { quay.watching.append(continuation) }
        return !quay.waiting.isEmpty
      }
      if isAwaited { continuation.resume() }
    }
  }

  /// The courier of an earlier daemon comes home, with an answer or without one.
  func comeHome(_ account: AccountID, with pad: HTTPAnswer?) {
    files.withLock {
      $0[account]?.isFlying = false
      $0[account]?.pad = pad
    }
    let waiting = quay.withLock { quay in
      defer { quay.waiting = [] }
      return quay.waiting
    }
    for waiter in waiting { waiter.resume() }
  }

  func wipe(_ account: AccountID) async throws(JournalError) {
    try check()
    files.withLock { $0[account] = nil }
  }
}
