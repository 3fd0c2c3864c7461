import Exchange
import Secrets
import Time

extension AccountSession {
  /// What sign-out finds of the account.
  enum Remains {
    case tokens(TokenSet)
    case unreadable
    /// Another machine's or user's: its tokens are not ours to send.
    case foreign
  }

  /// The newest tokens there are. Their refresh token may be sent only if there is a journal key in memory afterwards.
  func remains() async -> Remains {
    if let farewell { return .tokens(farewell) }
    if let tokens = unstored?.tokens { return .tokens(tokens) }
    do {
      guard let bytes = try await store.load(account) else { return .unreadable }
      let record = try RecordCodec.decode(bytes)
      guard record.machine == tools.machine, record.user == tools.user else { return .foreign }
      guard let tokens = record.tokens else { return .unreadable }
      journalKey = nil
      dpopKey = record.dpopKey
      leavingGeneration = record.generation
      return .tokens(await newest(tokens, record))
    } catch {
      return .unreadable
    }
  }

  /// What the journal makes of stored tokens: a spent or rolled-back refresh token is not sent for a farewell either.
  private func newest(_ tokens: TokenSet, _ record: StoredRecord) async -> TokenSet {
    let generation = Generation(
      number: record.generation, tokens, clock: tools.clock, isVerified: true, isStored: true)
    let key = record.journalKey
    do {
      let reading = try await tools.journal.read(journalContext(key))
      switch StartUp.decide(
        reading, stored: generation.number, hash: generation.hash(key), boot: tools.clock.bootID)
      {
      case .current:
        journalKey = key
      case .redo(let answer):
        guard case .granted(let landed) = try issuer().read(answer, previous: tokens) else { return tokens }
        journalKey = key
        leavingGeneration = record.generation + 1
        return landed
      case .unknown:
        // Whether it renews the session or, spent already, ends it: both is what sign-out wants.
        if account.issuer.rotation.reuseBlast == .session { journalKey = key }
      case .flying, .rolledBack:
        break
      }
    } catch {
      // Without the journal nobody knows whether it was spent.
    }
    return tokens
  }
}
