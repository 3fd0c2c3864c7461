package import Exchange
package import Secrets

/// What a journal says, as far as it is authentic.
package struct JournalContents: Sendable {
  /// Nil when there is no authentic intent.
  package let intent: Intent?
  /// Whether the courier of the intent's flight passed the point after which something may have been sent. A mark that
  /// names this flight and is not authentic counts as one: it is the safe side.
  package let isDeparted: Bool
  /// The answer that landed for the flight that the intent names.
  package let pad: HTTPAnswer?
  /// Blocks that are there and not authentic.
  package let forged: Int

  /// Reads the file with the journal key.
  package init(
    _ file: borrowing JournalFile, _ identity: JournalIdentity, journalKey: SecretBox
  ) throws(JournalFileError) {
    var forged = 0
    intent = Self.intent(try file.read(.intent), identity, journalKey, &forged)
    let landing = intent?.landing
    isDeparted = Self.isDeparted(try file.read(.departed), identity, landing, &forged)
    pad = Self.pad(try file.read(.pad), identity, landing, &forged)
    self.forged = forged
  }

  private static func intent(
    _ bytes: [UInt8], _ identity: JournalIdentity, _ key: SecretBox, _ forged: inout Int
  ) -> Intent? {
    guard let block = block(.intent, bytes, &forged) else { return nil }
    let intent = Intent(opening: block, identity, journalKey: key)
    if intent == nil { forged += 1 }
    return intent
  }

  private static func isDeparted(
    _ bytes: [UInt8], _ identity: JournalIdentity, _ landing: Intent.Landing?, _ forged: inout Int
  ) -> Bool {
    let before = forged
    guard let block = block(.departed, bytes, &forged) else { return forged > before }
    // The mark of an earlier flight says nothing about this one.
    guard let landing, block.number == landing.number else { return false }
    if block.open(identity, key: landing.key) == nil { forged += 1 }
    return true
  }

  private static func pad(
    _ bytes: [UInt8], _ identity: JournalIdentity, _ landing: Intent.Landing?, _ forged: inout Int
  ) -> HTTPAnswer? {
    // A pad of an earlier flight stays until the next courier lands on it.
    guard let block = block(.pad, bytes, &forged), let landing, block.number == landing.number else { return nil }
    guard let fields = block.open(identity, key: landing.key), let answer = answer(fields) else {
      forged += 1
      return nil
    }
    return answer
  }

  private static func block(_ part: JournalLayout.Part, _ bytes: [UInt8], _ forged: inout Int) -> SealedBlock? {
    do {
      return try SealedBlock(part, reading: bytes)
    } catch {
      forged += 1
      return nil
    }
  }

  private static func answer(_ fields: borrowing SecretBytes) -> HTTPAnswer? {
    do {
      return try AnswerFields.decode(fields)
    } catch {
      return nil
    }
  }
}
