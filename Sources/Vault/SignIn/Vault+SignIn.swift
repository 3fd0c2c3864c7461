import Exchange
import OAuth
package import Secrets
import Sodium
import Time

extension Vault {
  /// The most sign-ins under way at once.
  package static let maximumPending = 8

  /// How often it is tried to send a code that nothing was sent of yet: it lives for a minute or so.
  static let maximumBoardings = 3

  /// The most seconds that an issuer may ask to wait with a code.
  static let longestPause: Int64 = 20

  /// Makes the place where the answer will land, and so proves, before the browser opens, that tokens can be stored.
  package func prepareSignIn(_ plan: SignInPlan) async throws(VaultError) -> SignInDraft {
    guard !isLocked else { throw .locked(account: plan.name) }
    guard pendingCount < Self.maximumPending else {
      throw .temporary(account: plan.name, message: "too many sign-ins are under way", retryAfter: 30)
    }
    let renewed = accounts.first { $0.name == plan.name }
    if let renewed,
      renewed.issuer.identifier != plan.issuer.identifier || renewed.issuer.environment != plan.issuer.environment
    {
      throw .badRequest(field: "account", message: "\(renewed.name) belongs to another issuer")
    }
    if let renewed, case .unreadable(let error) = await knownPerson(renewed.id) {
      throw Self.keeping(renewed.name, error)
    }
    // Counted before the first suspension: many may come together.
    preparing += 1
    let draft = try await reserved(plan, renews: renewed)
    do {
      try await changeIndex {
        $0.append(AccountEntry(account: draft.account, phase: .pending, renews: draft.renews))
      }
      try await tools.stores[plan.backend]?.save(RecordCodec.encode(record(draft)), for: draft.account)
      try await tools.journal.prepare(context(draft))
      return draft
    } catch {
      await abandon(draft)
      throw Self.vaultError(error, account: plan.name)
    }
  }

  /// Redeems the code, checks who it is, and stores the first generation. The loser of a mix-up overwrites nothing.
  package func redeem(_ draft: SignInDraft, code: SecretBox) async throws(VaultError) -> SignInResult {
    let name = draft.account.name
    let hash = KeyedHash.digest(code.secret, key: draft.journalKey.secret)
    var attempts = 0
    var readFlight: UInt64?
    while true {
      let request: OutgoingRequest
      do {
        let plain = try await draft.issuer.codeRequest(code: code, attempt: draft.attempt)
        request = try draft.issuer.proven(plain, by: draft.dpopKey)
      } catch {
        throw Self.error(error, account: name)
      }
      switch await tools.fly(request, generation: 0, hash: hash, read: readFlight, context(draft)) {
      case .landed(let answer, let intent), .found(let answer, let intent):
        readFlight = intent.flight
        let answer = draft.issuer.read(answer, previous: nil).meant(for: draft.dpopKey)
        switch answer {
        case .declined(let why, let retryAfter):
          attempts += 1
          try await pause(draft, after: attempts, why, atLeast: retryAfter ?? 0)
        case .challenged(let why, let hasNonce):
          attempts += 1
          // The next one has the nonce.
          if attempts > 1 || !hasNonce { try await pause(draft, after: attempts, why, atLeast: 0) }
        case .granted, .dead, .misconfigured, .unknown:
          return try await adopt(draft, granted(answer), flight: intent.flight)
        }
      case .notSent(let why):
        attempts += 1
        try await pause(draft, after: attempts, why, atLeast: 0)
      case .storage(let why): throw .storage(account: name, message: why)
      case .unknown(_, let why):
        throw .signInFailed(.refused, message: "the answer to the code was lost (\(why)); a code works only once")
      }
    }
  }

  /// Waits before the code is sent again, which did nothing until now; gives up when it would be too old by then.
  private func pause(_ draft: SignInDraft, after attempts: Int, _ why: String, atLeast: Int64) async throws(VaultError)
  {
    guard attempts < Self.maximumBoardings, atLeast <= Self.longestPause else {
      await abandon(draft)
      let retryAfter = Int(max(5, min(atLeast, Backoff.retryAfterCap.wholeSeconds)))
      throw .temporary(account: draft.account.name, message: why, retryAfter: retryAfter)
    }
    let seconds = max(Int64(attempts), atLeast)
    do { try await tools.clock.sleep(until: tools.clock.now + .seconds(seconds)) } catch {
      throw .signInFailed(.cancelled, message: "cancelled")
    }
  }

  /// Removes every trace of a sign-in that came to nothing.
  package func abandon(_ draft: SignInDraft) async {
    await discard(draft.account)
    release(draft)
  }

  /// A sign-in is over, and what it may have left is recovered: soon, and at the latest by the next start or unlock.
  package func release(_ draft: SignInDraft) {
    underway.remove(draft.account.id)
    if entries.contains(where: { $0.account.id == draft.account.id && $0.phase == .pending }) { finishLater() }
  }

  // MARK: Parts

  /// Sign-ins under way, those of an earlier daemon and those that are not in the index yet included.
  private var pendingCount: Int {
    preparing + underway.count
      + entries.count { $0.phase == .pending && !underway.contains($0.account.id) }
  }

  /// A draft, which from here on is counted as under way.
  private func reserved(_ plan: SignInPlan, renews renewed: Account?) async throws(VaultError) -> SignInDraft {
    defer { preparing -= 1 }
    try await requireOpen(plan.backend, account: plan.name)
    let draft = try draft(plan, renews: renewed)
    underway.insert(draft.account.id)
    return draft
  }

  private func requireOpen(_ backend: StoreBackend, account: String?) async throws(VaultError) {
    guard let store = tools.stores[backend] else {
      throw .badRequest(field: "store", message: "this store is not there")
    }
    switch await store.availability() {
    case .available: return
    case .locked: throw .locked(account: account)
    case .unavailable(let what): throw .temporary(account: account, message: what, retryAfter: 5)
    case .refusing(let what): throw .storage(account: account, message: what)
    }
  }

  private func draft(_ plan: SignInPlan, renews: Account?) throws(VaultError) -> SignInDraft {
    guard let id = AccountID(Hexadecimal.encode(Random.bytes(16))) else {
      preconditionFailure("16 bytes are 32 hexadecimal digits")
    }
    do {
      let attempt = AuthorizationAttempt(
        redirectURI: plan.redirectURI, state: try Self.random(), verifier: try Self.random(),
        nonce: try Self.random(), scopes: plan.scopes, locales: plan.locales, challenge: plan.challenge,
        dpopKey: plan.issuer.options.dpop ? try DPoPKey.draw() : nil)
      let account = Account(
        id: id, name: plan.name ?? freeName(plan.issuer.name), issuer: plan.issuer, backend: plan.backend,
        redirectURI: plan.redirectURI, scopes: plan.scopes)
      return SignInDraft(
        account: account, issuer: try tools.makeIssuer(plan.issuer), attempt: attempt,
        journalKey: SecretBox(try Random.secret(count: 32)), renews: renews?.id, grant: plan.grant)
    } catch let error as IssuerError {
      throw Self.error(error, account: plan.name)
    } catch {
      throw .temporary(account: plan.name, message: "no locked memory left", retryAfter: 5)
    }
  }

  /// 32 random bytes as 43 characters of base64url: what RFC 7636 §4.1 recommends, and fit for state and nonce too.
  private static func random() throws -> SecretBox {
    SecretBox(try Base64URL.encode(try Random.secret(count: 32)))
  }

  /// A name like `base` that no account has. Of two sign-ins that come together the later one's is settled at its end.
  func freeName(_ base: String) -> String {
    let taken = Set(entries.map(\.account.name))
    if !taken.contains(base) { return base }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }

  private func record(_ draft: SignInDraft) -> StoredRecord {
    StoredRecord(
      account: draft.account.id, issuer: draft.account.issuer.identifier, machine: tools.machine, user: tools.user,
      generation: 0, journalKey: draft.journalKey, tokens: nil, identity: nil, nonce: draft.nonce,
      dpopKey: draft.dpopKey)
  }

  func context(_ draft: SignInDraft) -> JournalContext { context(draft.account, draft.journalKey) }

  func context(_ account: Account, _ key: SecretBox) -> JournalContext {
    JournalContext(
      account: account.id, issuer: account.issuer.identifier, machine: tools.machine, user: tools.user,
      journalKey: key)
  }

  func granted(_ answer: TokenAnswer) throws(VaultError) -> TokenSet {
    switch answer {
    case .granted(let tokens): return tokens
    case .dead(let why): throw .signInFailed(.refused, message: "the issuer refused the code: \(why)")
    case .misconfigured(let why): throw .misconfigured(account: nil, message: why)
    case .declined(let why, _), .challenged(let why, _): throw .temporary(account: nil, message: why, retryAfter: 5)
    case .unknown(let why, _): throw .signInFailed(.refused, message: "the issuer's answer is no use: \(why)")
    }
  }

  func adopt(
    _ draft: SignInDraft, _ tokens: TokenSet, flight: UInt64
  ) async throws(VaultError) -> SignInResult {
    let newborn = Newborn(
      account: draft.account, issuer: draft.issuer, journalKey: draft.journalKey, nonce: draft.nonce,
      dpopKey: draft.dpopKey, renews: draft.renews, tokens: tokens, flight: flight, isAwaited: true)
    return try await adopt(newborn)
  }

  static func error(_ error: IssuerError, account: String?) -> VaultError {
    switch error {
    case .temporary(let what): .temporary(account: account, message: what, retryAfter: 5)
    case .configuration(let what): .misconfigured(account: account, message: what)
    case .refused(let what): .signInFailed(.refused, message: what)
    }
  }

  private static func vaultError(_ error: any Error, account: String?) -> VaultError {
    switch error {
    case let error as StoreError: Self.error(error, account: account)
    case let error as JournalError: .storage(account: account, message: error.text)
    case let error as VaultError: error
    default: .temporary(account: account, message: "no locked memory left", retryAfter: 5)
    }
  }
}
