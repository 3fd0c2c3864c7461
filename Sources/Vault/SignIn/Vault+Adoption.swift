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
    let old = await samePerson(identity, newborn.account)
    if let renews = newborn.renews, old?.id != renews, await isKnownPerson(renews) {
      await reject(newborn)
      throw .signInFailed(
        .wrongPerson, message: "somebody else signed in; \(newborn.account.name) was left as it was")
    }
    let replaced = old ?? accounts.first { $0.id == newborn.renews }
    var account = newborn.account
    if let replaced { account.name = replaced.name }
    let record = StoredRecord(
      account: account.id, issuer: account.issuer.identifier, machine: tools.machine, user: tools.user,
      generation: 1, journalKey: newborn.journalKey, tokens: newborn.tokens, identity: identity,
      dpopKey: newborn.dpopKey)
    try await store(record, account)
    try await publish(account, replacing: replaced)
    let session = session(of: account)
    await session.adopt(record, flight: newborn.flight)
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
          dpopKey: record.dpopKey, renews: accounts.first { $0.name == account.name }?.id,
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

  private func samePerson(_ identity: VerifiedIdentity, _ newborn: Account) async -> Account? {
    for account in accounts
    where account.issuer.identifier == newborn.issuer.identifier
      && account.issuer.environment == newborn.issuer.environment
    {
      guard let known = await knownIdentity(account.id) else { continue }
      if known.isSamePerson(as: identity) { return account }
    }
    return nil
  }

  private func isKnownPerson(_ id: AccountID) async -> Bool { await knownIdentity(id)?.isKnown ?? false }

  /// Nil too when the account was signed out meanwhile: it gets no session again.
  private func knownIdentity(_ id: AccountID) async -> VerifiedIdentity? {
    guard let account = accounts.first(where: { $0.id == id }) else { return nil }
    return await session(of: account).knownIdentity()
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

  private func publish(_ account: Account, replacing old: Account?) async throws(VaultError) {
    try await changeIndex { entries in
      entries.removeAll { $0.account.id == account.id }
      for index in entries.indices where entries[index].account.id == old?.id { entries[index].phase = .signingOut }
      entries.append(AccountEntry(account: account, phase: .signedIn))
    }
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

  /// Who the account belongs to, read from the store if need be; nil when that cannot be told now.
  package func knownIdentity() async -> VerifiedIdentity? {
    if let identity { return identity }
    return await peekRecord()?.identity
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
