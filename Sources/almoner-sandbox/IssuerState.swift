import JOSE
import Time

/// Everything the issuer knows, without a clock, a socket or a wait of its own. One lock is around it.
struct IssuerState: Sendable {
  /// The answer to a good token request.
  struct Tokens: Sendable {
    let access: String
    let id: String
    let refresh: String
    let session: String
    /// Seconds.
    let lifetime: Int64
  }

  /// Things that are kept at most, the oldest forgotten first: a test that runs for days must not grow for ever.
  static let maximumKept = 100_000

  let origin: String
  let clientID: String
  let redirects: [RegisteredRedirect]
  let limitsRates: Bool
  let asksSecondFactor: Bool

  var accessLifetime: Int64
  var grace: Grace
  var isOn = true
  var counters = Counters()
  var fates = FateQueue()
  var stepUps = StepUpShelf()
  /// Whether device monitoring is enabled. It is not until the vendor does it.
  var hasMonitoring = false
  var keys: KeyRing
  var sessionRate = RateLimiter(RateLimiter.session)
  var discoveryRate = RateLimiter(RateLimiter.discovery)

  /// Visits to the sign-in page by their names.
  var transactions: [String: Transaction] = [:]
  /// What people prove themselves with, by their handles. Only with `--second-factor`.
  var factors: [String: SecondFactor] = [:]
  private var codes: [String: AuthorizationCode] = [:]
  private var sessions: [String: Session] = [:]
  /// Which session a token belongs to, spent ones included.
  private var refreshTokens: [String: String] = [:]
  private var accessTokens: [String: String] = [:]
  /// Which grant a token came with, for tests that look at what a client keeps.
  private var grants: [String: Grant] = [:]

  /// One answer of the token endpoint that brought tokens.
  struct Grant: Sendable {
    let session: String
    /// Counts the grants of a session, from 1.
    let number: Int64
    let kind: String
  }

  init(origin: String, options: SandboxOptions) throws {
    self.origin = origin
    clientID = Words.uuid()
    redirects = options.redirects
    limitsRates = options.limitsRates
    asksSecondFactor = options.asksSecondFactor
    accessLifetime = Int64(options.accessLifetime)
    grace = options.grace
    keys = try KeyRing()
  }

  var sessionsAlive: Int64 { Int64(sessions.values.count { $0.isAlive }) }

  // Signing in.

  /// Remembers a visit to `/sign-in` and returns its name.
  mutating func begin(_ transaction: Transaction) -> String {
    transactions = transactions.filter { transaction.started - $0.value.started < Transaction.lifetime }
    let name = Words.secret()
    transactions[name] = transaction
    return name
  }

  /// Ends a visit. Nil: there is none of that name, or it is too old.
  mutating func take(_ name: String, now: BootInstant) -> Transaction? {
    guard let transaction = transactions.removeValue(forKey: name) else { return nil }
    return now - transaction.started < Transaction.lifetime ? transaction : nil
  }

  /// Gives out a code for a person who agreed. `methods`: how they proved who they are (RFC 8176).
  mutating func approve(_ transaction: Transaction, _ person: Person, methods: [String], now: BootInstant) -> String {
    counters.count(.signIns)
    let code = Words.secret()
    codes[code] = AuthorizationCode(transaction: transaction, person: person, methods: methods, issued: now)
    return code
  }

  // The token endpoint.

  /// Redeems a code (RFC 6749 §4.1.3). Nil is `invalid_grant`; a code that was redeemed before takes its session along.
  mutating func redeem(code name: String, verifier: String, redirect: String, now: Moment) throws -> Tokens? {
    guard let code = codes[name] else { return nil }
    if let session = code.session {
      counters.count(.codeReuse)
      sessions[session]?.end()
      return nil
    }
    guard now.boot - code.issued < AuthorizationCode.lifetime, code.transaction.redirect.text == redirect,
      code.isProved(by: verifier)
    else {
      codes[name] = nil
      return nil
    }
    let refresh = Words.secret()
    let session = Session(
      id: Words.uuid(), person: code.person, methods: code.methods, refreshToken: refresh, began: now.wall)
    sessions[session.id] = session
    codes[name]?.session = session.id
    let tokens = try issue(session.id, refresh, now)
    counters.count(.codeGrants)
    return tokens
  }

  /// Rotates (RFC 6749 §6). Nil is `invalid_grant`; a spent token takes its session along.
  mutating func refresh(_ token: String, now: Moment) throws -> Tokens? {
    guard let id = refreshTokens[token], let session = sessions[id], session.isAlive else { return nil }
    guard session.standing(of: token, grace: grace, now: now.boot) != .spent else {
      counters.count(.reuse)
      sessions[id]?.end()
      return nil
    }
    let new = Words.secret()
    sessions[id]?.rotate(token, to: new, now: now.boot)
    let tokens = try issue(id, new, now)
    counters.count(.refreshGrants)
    return tokens
  }

  private mutating func issue(_ id: String, _ refresh: String, _ now: Moment) throws -> Tokens? {
    guard let session = sessions[id] else { return nil }
    let signer = TokenSigner(issuer: origin, clientID: clientID, key: keys.current)
    let access = try signer.accessToken(session, issued: now.wall.seconds, lifetime: accessLifetime)
    let idToken = try signer.idToken(session, issued: now.wall.seconds, lifetime: accessLifetime)
    sessions[id]?.countGrant()
    sessions[id]?.add(accessToken: access, until: now.boot + .seconds(accessLifetime))
    forgetIfMany()
    refreshTokens[refresh] = id
    accessTokens[access] = id
    let number = sessions[id]?.grants ?? 0
    for (token, kind) in [(access, "access"), (idToken, "id"), (refresh, "refresh")] {
      grants[token] = Grant(session: id, number: number, kind: kind)
    }
    return Tokens(access: access, id: idToken, refresh: refresh, session: id, lifetime: accessLifetime)
  }

  /// Which grant a token came with; nil for what was never given out.
  func grant(of token: String) -> Grant? { grants[token] }

  private mutating func forgetIfMany() {
    if grants.count >= 3 * Self.maximumKept { grants = [:] }
    guard accessTokens.count >= Self.maximumKept else { return }
    let alive = Set(sessions.values.filter(\.isAlive).map(\.id))
    accessTokens = accessTokens.filter { entry in sessions[entry.value]?.holds(entry.key) ?? false }
    if refreshTokens.count >= Self.maximumKept { refreshTokens = refreshTokens.filter { alive.contains($0.value) } }
  }

  // The session endpoint.

  /// The session that an access token stands for; nil is 401.
  func session(of accessToken: String, now: BootInstant) -> Session? {
    guard let id = accessTokens[accessToken], let session = sessions[id] else { return nil }
    return session.honours(accessToken, now: now) ? session : nil
  }

  mutating func end(_ session: Session) { sessions[session.id]?.end() }

  /// Ends every session, or those of one person. Returns how many.
  mutating func revoke(_ person: Person?) -> Int64 {
    let wanted = sessions.values.filter { $0.isAlive && (person == nil || $0.person == person) }
    for session in wanted { sessions[session.id]?.end() }
    return Int64(wanted.count)
  }
}
