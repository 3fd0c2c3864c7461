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
    let fields = try AnswerFields.encode(answer)
    let block = try SealedBlock(.pad, number, sealing: fields, identity, key: key)
    try file.write(block, .pad)
    CrashPoint.padWritten.reached()
    do {
      try file.sync()
    } catch {
      try file.write(block, .pad)
      try file.sync()
    }
    CrashPoint.padSynced.reached()
  }
}
