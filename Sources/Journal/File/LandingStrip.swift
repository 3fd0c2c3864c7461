import CrashPoints
package import Exchange
package import Secrets

/// The courier's side of a journal: it can mark its departure and land one answer, under the key of its flight.
package struct LandingStrip: ~Copyable {
  private let file: JournalFile
  private let identity: JournalIdentity
  private let number: FlightNumber
  private let key: SecretBox

  package init(_ file: consuming JournalFile, _ identity: JournalIdentity, _ number: FlightNumber, key: SecretBox) {
    self.file = file
    self.identity = identity
    self.number = number
    self.key = key
  }

  /// Marks that from now on something may have been sent. Not synced: the mark counts only within this boot.
  package borrowing func markDeparture() throws {
    let nothing = try SecretBytes.fields(capacity: 1) { _ in }
    try file.write(try SealedBlock(.departed, number, sealing: nothing, identity, key: key), .departed)
  }

  /// Puts the answer on the pad and waits for the disk. After an error of the disk it is written and synced once more;
  /// throws when that fails too, and then nobody knows what is on the disk.
  package borrowing func land(_ answer: HTTPAnswer) throws {
    let block = try sealed(answer)
    do {
      try put(block)
    } catch {
      try put(block)
    }
    CrashPoint.padSynced.reached()
  }

  /// Puts the answer, and what the condemned file of this strip has beside it, into a fresh file in its place.
  package borrowing func landAfresh(_ answer: HTTPAnswer, in directory: borrowing JournalDirectory) throws {
    let parts = [
      JournalLayout.Part.intent: try file.read(.intent), .departed: try file.read(.departed),
      .pad: try sealed(answer).bytes,
    ]
    try JournalFile.replace(directory, identity, parts)
  }

  private borrowing func put(_ block: SealedBlock) throws {
    try file.write(block, .pad)
    CrashPoint.padWritten.reached()
    try file.sync()
  }

  private borrowing func sealed(_ answer: HTTPAnswer) throws -> SealedBlock {
    try SealedBlock(.pad, number, sealing: try AnswerFields.encode(answer), identity, key: key)
  }
}
