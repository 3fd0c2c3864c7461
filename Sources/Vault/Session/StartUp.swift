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

  /// `stored` is the generation in the store, `hash` the keyed hash of its refresh token or code.
  static func decide(_ reading: JournalReading, stored: UInt64, hash: [UInt8], boot: BootID) -> Self {
    switch reading.intent {
    case .none:
      return .current(isVerified: true)
    case .unreadable:
      if reading.isFlying { return .flying }
      // It may have said that this token was sent.
      return .unknown(.unreadable)
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

extension Unresolved {
  /// What has to be feared where the intent cannot be read: sent once, in an earlier boot.
  fileprivate static let unreadable: Self = {
    let moment = BootMoment(boot: BootID(high: 0, low: 0), instant: BootInstant(nanoseconds: 0))
    return Self(sends: 1, times: UnknownSends(first: moment, last: moment))
  }()
}
