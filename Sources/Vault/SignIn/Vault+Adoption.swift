import Exchange
import Sodium

extension Vault {
  /// Checks who it is, stores the first generation, and lets callers see the account. Tokens that fail the check are ended
  /// at the issuer and leave nothing.
  ///
  /// The same person at the same issuer is renewed: the new account takes the old one's name, and the old one is
  /// wiped. Somebody else is never stored over an account that was named: their session is ended again.
  func adopt(_ newborn: Newborn) async throws(VaultError) -> SignInResult {
    let identity = try await identify(newborn)
    let account: Account
    let replaced: Account?
    switch try await takeIn(newborn, identity) {
    case .taken(let taken, let old): (account, replaced) = (taken, old)
    case .refused(let error):
      await reject(newborn)
      throw error
    }
    if let replaced { await retire(replaced) }
    hub.publish(VaultEvent(.signedIn, account: account.name, generation: 1))
    return SignInResult(account: account, identity: identity, isNew: replaced == nil)
  }

  /// Finishes a sign-in whose daemon died after the code was sent: what landed in the journal is kept. Returns whether it
  /// is to be tried again soon.
  func recover(_ account: Account) async -> Bool {
    do {
      guard let store = tools.stores[account.backend], let bytes = try await store.load(account) else {
        await discard(account)
        return false
      }
      let record = try RecordCodec.decode(bytes)
      guard record.machine == tools.machine, record.user == tools.user else { return false }
      let issuer = try tools.makeIssuer(account.issuer)
      var reading = try await tools.journal.read(context(account, record.journalKey))
      if reading.isFlying {
        await tools.journal.courierGone(account.id)
        reading = try await tools.journal.read(context(account, record.journalKey))
      }
      guard let tokens = Self.tokens(reading, record, issuer) else {
        await discard(account)
        return false
      }
      _ = try await adopt(
        Newborn(
          account: account, issuer: issuer, journalKey: record.journalKey, nonce: record.nonce,
          dpopKey: record.dpopKey, renews: entries.first { $0.account.id == account.id }?.renews,
          tokens: tokens.tokens, flight: tokens.flight, isAwaited: false))
    } catch let error as StoreError {
      if case .damaged = error { await discard(account) }
    } catch let error as VaultError {
      if case .signInFailed = error { await discard(account) }
      if case .temporary = error { return true }
    } catch {
      // The journal or the issuer cannot be read now: the next start or unlock tries again.
      return false
    }
    return false
  }

  private static func tokens(
    _ reading: JournalReading, _ record: StoredRecord, _ issuer: any Issuer
  ) -> (tokens: TokenSet, flight: UInt64)? {
    if let tokens = record.tokens { return (tokens, 1) }
    guard case .sending(let intent) = reading.intent, intent.generation == 0, let pad = reading.pad,
      case .granted(let tokens) = issuer.read(pad, previous: nil)
    else { return nil }
    return (tokens, intent.flight)
  }

  // MARK: Steps

  private enum TakingIn {
    case taken(Account, replaced: Account?)
    /// It becomes no account, for good.
    case refused(VaultError)
  }

  /// Looks whose account it is, stores the tokens and shows the account. One after the other at each issuer: of two that
  /// came together the second sees what became of the first.
  private func takeIn(_ newborn: Newborn, _ identity: VerifiedIdentity) async throws(VaultError) -> TakingIn {
    let issuer = newborn.account.issuer.identifier
    await withCheckedContinuation { adoptions[issuer, default: Turns()].take($0) }
    defer {
      adoptions[issuer]?.pass()
      if adoptions[issuer]?.isTaken == false { adoptions[issuer] = nil }
    }
    let old = await samePerson(identity, newborn.account)
    if let refusal = try await refusal(newborn, samePerson: old) { return .refused(refusal) }
    let replaced = old ?? accounts.first { $0.id == newborn.renews }
    let record = StoredRecord(
      account: newborn.account.id, issuer: issuer, machine: tools.machine, user: tools.user, generation: 1,
      journalKey: newborn.journalKey, tokens: newborn.tokens, identity: identity, dpopKey: newborn.dpopKey)
    try await store(record, newborn.account)
    let account = try await publish(newborn.account, replacing: replaced)
    await session(of: account).adopt(record, flight: newborn.flight)
    return .taken(account, replaced: replaced)
  }

  /// Why nobody may be stored over the account that was named. Throws when that cannot be told now and nobody waits: it is
  /// tried again later.
  private func refusal(_ newborn: Newborn, samePerson old: Account?) async throws(VaultError) -> VaultError? {
    guard let renews = newborn.renews, old?.id != renews else { return nil }
    switch await knownPerson(renews) {
    case .nobody: return nil
    case .somebody:
      return .signInFailed(
        .wrongPerson, message: "somebody else signed in; \(newborn.account.name) was left as it was")
    case .unreadable(let error):
      let error = Self.keeping(newborn.account.name, error)
      guard newborn.isAwaited else { throw error }
      return error
    }
  }

  /// What is said of an account of which nobody can tell now whose it is.
  static func keeping(_ name: String, _ error: StoreError) -> VaultError {
    guard case .storage(let account, let why) = Self.error(error, account: name) else {
      return Self.error(error, account: name)
    }
    return .storage(account: account, message: "whose \(name) is cannot be read, and nobody is stored over it: \(why)")
  }

  private func samePerson(_ identity: VerifiedIdentity, _ newborn: Account) async -> Account? {
    for account in accounts
    where account.issuer.identifier == newborn.issuer.identifier
      && account.issuer.environment == newborn.issuer.environment
    {
      guard case .somebody(let known) = await knownPerson(account.id) else { continue }
      if known.isSamePerson(as: identity) { return account }
    }
    return nil
  }

  /// Nobody too when the account was signed out meanwhile: it gets no session again.
  func knownPerson(_ id: AccountID) async -> KnownPerson {
    guard let account = accounts.first(where: { $0.id == id }) else { return .nobody }
    return await session(of: account).knownPerson()
  }

  private func store(_ record: StoredRecord, _ account: Account) async throws(VaultError) {
    do {
      try await tools.stores[account.backend]?.save(RecordCodec.encode(record), for: account)
    } catch let error as StoreError {
      throw Self.error(error, account: account.name)
    } catch {
      throw .temporary(account: account.name, message: "no locked memory left", retryAfter: 5)
    }
  }

  /// Shows the account under the old one's name, or under its own, unless that went to another meanwhile.
  private func publish(_ newborn: Account, replacing old: Account?) async throws(VaultError) -> Account {
    var account = newborn
    try await changeIndex { entries in
      entries.removeAll { $0.account.id == account.id }
      if let old {
        account.name = old.name
      } else if entries.contains(where: { $0.account.name == account.name && $0.phase == .signedIn }) {
        account.name = freeName(account.name)
      }
      for index in entries.indices where entries[index].account.id == old?.id { entries[index].phase = .signingOut }
      entries.append(AccountEntry(account: account, phase: .signedIn))
    }
    return account
  }

  private func retire(_ old: Account) async {
    // What cannot be wiped now keeps its mark, and is wiped at the next start or unlock.
    do throws(VaultError) { _ = try await signOut(old, isQuiet: true) } catch { return }
  }

  /// Removes an account that never came to be, from store, journal and index.
  func discard(_ account: Account) async {
    do {
      try await tools.stores[account.backend]?.remove(account)
      try await tools.journal.wipe(account.id)
      try await changeIndex { $0.removeAll { $0.account.id == account.id } }
    } catch {
      // It stays marked as pending, and the next start or unlock tries again.
      return
    }
  }
}

extension AccountSession {
  /// Takes over the first generation: it is checked and stored.
  func adopt(_ record: StoredRecord, flight: UInt64) async {
    guard let tokens = record.tokens else { return }
    journalKey = record.journalKey
    dpopKey = record.dpopKey
    identity = record.identity
    unsettled = (record.generation, flight)
    machine.hold(
      Generation(number: record.generation, tokens, clock: tools.clock, isVerified: true, isStored: true))
    await settleJournal()
  }

  /// Whose account it is, read from the store if need be.
  func knownPerson() async -> KnownPerson {
    do {
      let known = if let identity { identity } else { try await storedIdentity() }
      return known.flatMap { $0.isKnown ? .somebody($0) : nil } ?? .nobody
    } catch let error as StoreError {
      // What is damaged names nobody, and a sign-in anew is what helps.
      if case .damaged = error { return .nobody }
      return .unreadable(error)
    } catch RecordError.memory {
      return .unreadable(.unavailable("no locked memory left"))
    } catch {
      return .nobody
    }
  }

  private func storedIdentity() async throws -> VerifiedIdentity? {
    try await store.load(account).map { try RecordCodec.decode($0) }?.identity
  }

  /// What the store has, quietly: nil when it cannot be read now.
  func peekRecord() async -> StoredRecord? {
    do {
      guard let bytes = try await store.load(account) else { return nil }
      return try RecordCodec.decode(bytes)
    } catch {
      return nil
    }
  }
}

/// What is known of the person that an account belongs to.
enum KnownPerson: Sendable {
  case somebody(VerifiedIdentity)
  /// The issuer does not say, or what was kept is gone or damaged.
  case nobody
  /// The store cannot be read now.
  case unreadable(StoreError)
}
