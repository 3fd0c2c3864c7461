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
    var wiped = false
  }

  let files = Mutex([AccountID: File]())
  let trouble = Mutex(JournalError?.none)

  private func check() throws(JournalError) {
    if let trouble = trouble.withLock({ $0 }) { throw trouble }
  }

  func prepare(_ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { if $0[context.account] == nil { $0[context.account] = File() } }
  }

  func read(_ context: JournalContext) async throws(JournalError) -> JournalReading {
    let file = files.withLock { $0[context.account] } ?? File()
    return JournalReading(
      intent: file.intent, isFlying: file.isFlying, departed: file.departed, pad: file.pad, forged: 0)
  }

  func write(_ intent: SendingIntent, _ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { $0[context.account] = File(intent: .sending(intent)) }
  }

  func settle(_ idle: IdleIntent, _ context: JournalContext) async throws(JournalError) {
    try check()
    files.withLock { $0[context.account]?.intent = .idle(idle) }
  }

  func landing(_ context: JournalContext) async throws(JournalError) -> HTTPAnswer? {
    files.withLock { $0[context.account]?.pad }
  }

  func courierGone(_ account: AccountID) async {}

  func wipe(_ account: AccountID) async throws(JournalError) {
    try check()
    files.withLock { $0[account] = nil }
  }
}
