package import Exchange
package import Secrets
package import Time

/// The rotation journals of all accounts: one small pre-allocated file each. See `rotation.md` of the design for why.
///
/// Every call runs on the storage thread. Nothing here needs the keyring: the caller brings the journal key.
package protocol RotationJournal: Sendable {
  /// Makes the account's journal, pre-allocated and idle, if there is none. Throws if it cannot be written.
  func prepare(_ context: JournalContext) async throws(JournalError)

  /// What the journal says. Blocks that are not authentic are ignored and counted in `forged`.
  func read(_ context: JournalContext) async throws(JournalError) -> JournalReading

  /// R3: writes and syncs the intent. After it returns the courier may go.
  func write(_ intent: SendingIntent, _ context: JournalContext) async throws(JournalError)

  /// R5: writes and syncs the idle intent; the pad stays as the redo copy.
  func settle(_ idle: IdleIntent, _ context: JournalContext) async throws(JournalError)

  /// The authentic pad of the flight that the current intent names, if one landed.
  func landing(_ context: JournalContext) async throws(JournalError) -> HTTPAnswer?

  /// Returns when no courier holds the account's lock.
  func courierGone(_ account: AccountID) async

  /// Removes the journal and all temporary files of the account, and looks again that nothing is found.
  func wipe(_ account: AccountID) async throws(JournalError)
}

/// Whose journal, and the key that opens it.
package struct JournalContext: Sendable {
  package let account: AccountID
  package let issuer: String
  package let machine: String
  package let user: UInt32
  package let journalKey: SecretBox

  package init(account: AccountID, issuer: String, machine: String, user: UInt32, journalKey: SecretBox) {
    self.account = account
    self.issuer = issuer
    self.machine = machine
    self.user = user
    self.journalKey = journalKey
  }
}

/// The intent block while an answer is awaited.
package struct SendingIntent: Sendable {
  package let generation: UInt64
  package let flight: UInt64
  package let flightKey: SecretBox
  /// A keyed hash (BLAKE2b under the journal key) of the token or code that is sent: 32 bytes.
  package let tokenHash: [UInt8]
  package let boot: BootID
  package let sentAt: BootInstant
  package let sentWall: WallInstant
  /// How often this generation's token has been sent, this time included. A crash does not reset it.
  package let sends: UInt32
  /// The sendings before this one whose fate is unknown too.
  package let earlier: UnknownSends?
  /// Whether less was asked for than was granted. What the answer brings is then no successor of the access token.
  package let isNarrowed: Bool

  package init(
    generation: UInt64, flight: UInt64, flightKey: SecretBox, tokenHash: [UInt8], boot: BootID, sentAt: BootInstant,
    sentWall: WallInstant, sends: UInt32, earlier: UnknownSends?, isNarrowed: Bool = false
  ) {
    self.generation = generation
    self.flight = flight
    self.flightKey = flightKey
    self.tokenHash = tokenHash
    self.boot = boot
    self.sentAt = sentAt
    self.sentWall = sentWall
    self.sends = sends
    self.earlier = earlier
    self.isNarrowed = isNarrowed
  }

  /// When it was sent.
  package var moment: BootMoment { BootMoment(boot: boot, instant: sentAt) }
}

/// When a token was sent of which nobody knows whether it arrived. A sending that never departed moves neither.
package struct UnknownSends: Equatable, Sendable {
  /// Nothing can have been spent before this: the issuer's grace ends no sooner than counted from here.
  package let first: BootMoment
  /// Nothing can still be under way when the processing limit after this is over.
  package let last: BootMoment

  package init(first: BootMoment, last: BootMoment) {
    self.first = first
    self.last = last
  }
}

/// The intent block at rest: the highest generation stored, by which a rolled-back store is noticed.
package struct IdleIntent: Equatable, Sendable {
  package let generation: UInt64
  package let flight: UInt64
  package let tokenHash: [UInt8]

  package init(generation: UInt64, flight: UInt64, tokenHash: [UInt8]) {
    self.generation = generation
    self.flight = flight
    self.tokenHash = tokenHash
  }
}

/// What was found in a journal.
package struct JournalReading: Sendable {
  package enum Intent: Sendable {
    /// No journal.
    case none
    /// A journal without an authentic intent: somebody wrote in it, or the disk lost it.
    case unreadable
    case idle(IdleIntent)
    case sending(SendingIntent)
  }

  package let intent: Intent
  /// Whether a courier holds the account's lock now.
  package let isFlying: Bool
  /// Whether the courier of this intent wrote its `departed` mark. Meaningful only for `sending`.
  package let departed: Bool
  /// The authentic pad of the flight that the intent names; for `idle` the redo copy of the last flight.
  package let pad: HTTPAnswer?
  /// Whether the flight of the pad asked for less than was granted.
  package let isNarrowed: Bool
  /// Blocks that were there and did not authenticate. Ignored, but reported.
  package let forged: Int

  package init(
    intent: Intent, isFlying: Bool, departed: Bool, pad: HTTPAnswer?, isNarrowed: Bool = false, forged: Int
  ) {
    self.intent = intent
    self.isFlying = isFlying
    self.departed = departed
    self.pad = pad
    self.isNarrowed = isNarrowed
    self.forged = forged
  }
}

/// Why the journal could not be used. No request may leave then.
package enum JournalError: Error, Equatable, Sendable {
  /// ENOSPC, EIO, …: the file is as it was, or condemned and replaced.
  case storage(String)
  /// The directory or file is not ours alone, or was replaced.
  case untrusted(String)
  /// The file is not the one that was made for the account. It is left as it is; a sign-in makes a new one.
  case damaged(String)
}
