import Exchange
import Secrets
import Time

/// What an account's store and journal, read together, mean: `rotation.md`, "Start-up". Pure.
enum StartUp: Sendable {
  /// The stored generation is the newest. What was never settled was perhaps never verified.
  case current(isVerified: Bool)
  /// An answer landed and was not stored: go on with it, no network.
  case redo(HTTPAnswer)
  /// A courier is still flying: be told when it is gone.
  case flying
  /// The request left and no answer landed.
  case unknown(Unresolved)
  /// The store is older than the journal has seen, and no pad mends it.
  case rolledBack

  /// `stored` is the generation in the store, `hash` the keyed hash of its refresh token or code, `key` the journal's.
  static func decide(
    _ reading: JournalReading, stored: UInt64, hash: [UInt8], key: SecretBox, boot: BootID
  ) -> Self {
    switch reading.intent {
    case .none:
      return .current(isVerified: true)
    case .unreadable:
      if reading.isFlying { return .flying }
      // It may have said that this token was sent.
      return .unknown(.lost(generation: stored, hash: hash, key: key))
    case .idle(let idle):
      if idle.generation > stored {
        // The keyring lost what it said it had stored; the pad is the redo copy.
        if idle.generation == stored + 1, let pad = reading.pad { return .redo(pad) }
        return .rolledBack
      }
      if idle.generation == stored, idle.tokenHash != hash { return .rolledBack }
      return .current(isVerified: true)
    case .sending(let intent):
      if intent.generation > stored { return .rolledBack }
      // The answer was stored and the crash came before the intent was set idle.
      if intent.generation < stored { return .current(isVerified: false) }
      if reading.isFlying { return .flying }
      if let pad = reading.pad { return .redo(pad) }
      if intent.tokenHash != hash { return .rolledBack }
      guard !reading.departed, intent.boot == boot else { return .unknown(intent.unresolved) }
      // It never departed: it was not sent, but those before it may have been.
      return intent.unresolvedBefore.map(StartUp.unknown) ?? .current(isVerified: true)
    }
  }
}

extension SendingIntent {
  /// What has to be feared where the intent cannot be read: sent once, long ago. No answer can land for it.
  fileprivate static func lost(generation: UInt64, hash: [UInt8], key: SecretBox) -> Self {
    SendingIntent(
      generation: generation, flight: 0, flightKey: key, tokenHash: hash, boot: BootID(high: 0, low: 0),
      sentAt: BootInstant(nanoseconds: 0), sentWall: WallInstant(seconds: 0), sends: 1)
  }
}
