package import Configuration
import CrashPoints
package import EventLoop
package import Exchange
import Journal
import Secrets
import Time
package import Vault

/// The rotation journals as files, one an account, in one directory (`$XDG_STATE_HOME/almoner/journal`).
///
/// It is reached through the state directory that the daemon holds open, and refused when that was replaced. No journal
/// is kept open or in memory between calls. All of it runs on the storage thread, the waiting aside.
package actor FileJournal: RotationJournal {
  static let directoryName = "journal"

  private let state: PrivateDirectory
  private let user: UInt32
  private let executor: ThreadExecutor

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// `storage` is the storage thread; `user` must own the directory, which is made in `state` when it is first needed.
  package init(in state: PrivateDirectory, user: UInt32, storage: ThreadExecutor) {
    self.state = state
    self.user = user
    executor = storage
  }

  package func prepare(_ context: JournalContext) throws(JournalError) {
    try door { () throws(JournalFileError) in
      let identity = JournalIdentity(context)
      try checkState()
      try JournalDirectory.make(Self.directoryName, in: state.descriptor)
      let folder = try folder()
      do throws(JournalFileError) {
        _ = try opened(folder, identity)
      } catch .absent {
        let nobody = [UInt8](repeating: 0, count: Intent.hashCount)
        let idle = Intent(
          state: .idle, number: FlightNumber(generation: 0, flight: 0), tokenHash: nobody, landing: nil)
        try JournalFile.replace(folder, identity, [.intent: try sealed(idle, context).bytes])
      }
    }
  }

  package func read(_ context: JournalContext) throws(JournalError) -> JournalReading {
    try door { () throws(JournalFileError) in
      do throws(JournalFileError) {
        let identity = JournalIdentity(context)
        let file = try opened(try folder(), identity)
        // Asked first: a courier that lands between the two questions has released the lock after landing.
        let isFlying = try file.isFlying()
        let contents = try JournalContents(file, identity, journalKey: context.journalKey)
        return JournalReading(contents, isFlying: isFlying)
      } catch .absent {
        return JournalReading(intent: .none, isFlying: false, departed: false, pad: nil, forged: 0)
      }
    }
  }

  package func write(_ intent: SendingIntent, _ context: JournalContext) throws(JournalError) {
    try door { () throws(JournalFileError) in
      let number = FlightNumber(generation: intent.generation, flight: intent.flight)
      let sending = Intent(
        state: .sending(
          at: intent.moment, wall: intent.sentWall, sends: intent.sends,
          earlier: intent.earlier.map { Intent.Earlier(first: $0.first, last: $0.last) }),
        number: number, tokenHash: intent.tokenHash,
        landing: Intent.Landing(number: number, key: intent.flightKey, isNarrowed: intent.isNarrowed))
      // After an error of the disk this flight must not depart: its courier holds the condemned file.
      try keep(sending, context) { old in old }
    }
  }

  package func settle(_ idle: IdleIntent, _ context: JournalContext) throws(JournalError) {
    try door { () throws(JournalFileError) in
      try keep(
        Intent(
          state: .idle, number: FlightNumber(generation: idle.generation, flight: idle.flight),
          tokenHash: idle.tokenHash, landing: try contents(context).intent?.landing),
        context
      ) { _ in nil }
    }
  }

  package func landing(_ context: JournalContext) throws(JournalError) -> HTTPAnswer? {
    try door { () throws(JournalFileError) in try contents(context).pad }
  }

  nonisolated package func courierGone(_ account: AccountID) async {
    let wait = LockWait(in: state, name: account.text, user: user)
    // No thread to be had: the storage thread waits, for no longer than a courier lives.
    if !wait.start() { await block(wait) }
    await wait.ended()
  }

  package func wipe(_ account: AccountID) throws(JournalError) {
    try door { () throws(JournalFileError) in
      do throws(JournalFileError) {
        try folder().wipe(account.text)
      } catch .absent {
        // No directory, no journal.
      }
    }
  }

  /// Where a courier finds the account's file. Throws when there is none, or not where it should be.
  func place(_ account: String) throws(JournalError) -> Briefing.Place {
    try door { () throws(JournalFileError) in
      let inode = try JournalFile(try folder(), account).inode()
      return Briefing.Place(directory: "\(state.path)/\(Self.directoryName)", name: account, inode: inode)
    }
  }

  /// Whether the flight's answer is on the pad, after making sure of the disk: the courier died before it could say so.
  func secure(_ ticket: Ticket) -> Bool {
    do {
      let file = try opened(try folder(), ticket.identity)
      guard let block = try SealedBlock(.pad, reading: try file.read(.pad)), block.number == ticket.number,
        block.open(ticket.identity, key: ticket.key) != nil
      else { return false }
      try file.sync()
      return true
    } catch {
      return false
    }
  }

  /// Lands an answer that its courier could not land: on the pad, or in a fresh file when the old one is condemned.
  func land(_ answer: HTTPAnswer, _ ticket: Ticket) -> Bool {
    do {
      let folder = try folder()
      let strip = LandingStrip(try opened(folder, ticket.identity), ticket.identity, ticket.number, key: ticket.key)
      do {
        try strip.land(answer)
      } catch {
        try strip.landAfresh(answer, in: folder)
      }
      return true
    } catch {
      return false
    }
  }

  private func block(_ wait: LockWait) { wait.run() }
}

// Files.
extension FileJournal {
  private func folder() throws(JournalFileError) -> JournalDirectory {
    try checkState()
    return try JournalDirectory(Self.directoryName, in: state.descriptor, user: user)
  }

  private func checkState() throws(JournalFileError) {
    do throws(StateError) {
      try state.check()
    } catch {
      throw .untrusted("\(error)")
    }
  }

  private func opened(
    _ folder: borrowing JournalDirectory, _ identity: JournalIdentity
  ) throws(JournalFileError) -> JournalFile {
    let file = try JournalFile(folder, identity.account)
    guard try file.isFor(identity) else { throw .damaged("it is the file of another account, user or version") }
    return file
  }

  private func contents(_ context: JournalContext) throws(JournalFileError) -> JournalContents {
    let identity = JournalIdentity(context)
    let file = try opened(try folder(), identity)
    return try JournalContents(file, identity, journalKey: context.journalKey)
  }

  /// Writes and syncs the intent. When the disk fails, the file is condemned and replaced by a fresh one that keeps the
  /// pad, with the intent that `instead` makes of the old one, and the error is thrown; where it makes none, the new
  /// intent itself goes into the fresh file and nothing is thrown.
  private func keep(
    _ intent: Intent, _ context: JournalContext, _ instead: (Intent?) -> Intent?
  ) throws(JournalFileError) {
    let identity = JournalIdentity(context)
    let folder = try folder()
    let file = try opened(folder, identity)
    let old = try JournalContents(file, identity, journalKey: context.journalKey).intent
    var parts: [JournalLayout.Part: [UInt8]] = [
      .departed: try file.read(.departed), .pad: try file.read(.pad),
    ]
    let block = try sealed(intent, context)
    let isIdle = intent.state == .idle
    do throws(JournalFileError) {
      try file.write(block, .intent)
      (isIdle ? CrashPoint.idleWritten : .intentWritten).reached()
      try file.sync()
      (isIdle ? CrashPoint.idleSynced : .intentSynced).reached()
    } catch {
      let substitute = instead(old)
      parts[.intent] =
        try substitute.map { (kept) throws(JournalFileError) in try sealed(kept, context).bytes }
        ?? block.bytes
      try JournalFile.replace(folder, identity, parts)
      if substitute != nil { throw error }
    }
  }

  private func sealed(_ intent: Intent, _ context: JournalContext) throws(JournalFileError) -> SealedBlock {
    do {
      return try intent.seal(JournalIdentity(context), journalKey: context.journalKey)
    } catch {
      throw .failed("sealing the intent", errno: 0)
    }
  }

  private func door<Value>(_ body: () throws(JournalFileError) -> Value) throws(JournalError) -> Value {
    do throws(JournalFileError) {
      return try body()
    } catch {
      switch error {
      case .absent, .failed: throw .storage("\(error)")
      case .untrusted: throw .untrusted("\(error)")
      case .damaged: throw .damaged("\(error)")
      }
    }
  }
}
