import Time

/// What one account is, and what is being done about it: decides, never does.
///
/// At most one piece of ``Work`` runs at a time, which is what makes a refresh single-flight. Callers that cannot be
/// answered at once join it and are asked about again when it ends.
struct SessionMachine {
  enum State {
    /// Nothing has been read yet.
    case unloaded
    /// The last reading ended here; the next caller causes another.
    case barred(Bar)
    case holding(Generation)
    /// Only the person can mend it.
    case dead(SignInReason)
    /// Signing out: gone for every caller.
    case gone
  }

  /// What keeps the stored tokens from being used.
  enum Bar: Equatable {
    case locked
    case unavailable(String)
    case storage(String)
    /// A courier of an earlier daemon is still flying.
    case flying
    case signIn(SignInReason)
  }

  enum Work: Equatable {
    case load
    case rotate
    /// A rotation that asks for less, for a token of its own beside the account's.
    case narrow(Narrowing)
    /// Finding out the fate of an earlier refresh.
    case resolve
    /// Checking tokens that could not be checked when they came.
    case verify
    /// Storing the newest tokens, before which none are replaced.
    case store

    /// Whether it sends the refresh token for whoever asks.
    var isRotation: Bool {
      switch self {
      case .rotate, .narrow: true
      case .load, .resolve, .verify, .store: false
      }
    }
  }

  /// Why the last refresh brought nothing.
  enum Trouble: Equatable {
    case temporary(String)
    case misconfigured(String)
    case storage(String)
    case locked
  }

  enum AskAction {
    case answer(Generation, shorter: Bool)
    case refuse(VaultError)
    case join
    /// Start this, then wait for it.
    case begin(Work)
  }

  private(set) var state = State.unloaded
  private(set) var work: Work?
  private(set) var backoff = Backoff()
  private var trouble: Trouble?
  private var lastForced: BootInstant?
  var narrowed = NarrowedTokens()
  /// Whether the store did not take the newest tokens when it was last tried.
  var storeRefuses = false

  /// The account's name, for errors.
  var name: String
  /// The least time between two forced refreshes.
  var forceInterval: Duration

  init(name: String, forceInterval: Duration) {
    self.name = name
    self.forceInterval = forceInterval
  }

  // MARK: Asking

  /// A caller asks for a token.
  mutating func asked(_ request: AccessRequest, at now: BootInstant) -> AskAction {
    switch state {
    case .unloaded, .barred: return joinOrBegin(.load)
    case .dead(let reason): return .refuse(.signInRequired(account: name, reason))
    case .gone: return .refuse(.unknownAccount(name))
    case .holding(let generation):
      guard let narrowing = request.narrowing else { return askedWhileHolding(generation, request, at: now) }
      return asked(narrowing, beside: generation, request, at: now)
    }
  }

  /// A caller that joined is asked about again when the work ended. Never starts the same work twice for it.
  mutating func askedAgain(_ request: AccessRequest, after ended: Work, at now: BootInstant) -> AskAction {
    switch state {
    case .unloaded: return .refuse(.temporary(account: name, message: "stopped", retryAfter: 1))
    case .barred(let bar): return .refuse(refusal(for: bar))
    case .dead(let reason): return .refuse(.signInRequired(account: name, reason))
    case .gone: return .refuse(.unknownAccount(name))
    case .holding(let generation):
      if ended == .load { return asked(request, at: now) }
      if let narrowing = request.narrowing {
        return askedAgain(narrowing, beside: generation, request, after: ended, at: now)
      }
      // What ended was for somebody else, or only the way to what is asked for.
      if case .narrow = ended { return asked(request, at: now) }
      if ended == .store, generation.isStored { return asked(request, at: now) }
      if ended == .verify, generation.isVerified { return asked(request, at: now) }
      let left = generation.lifeLeft(at: now)
      if generation.isVerified, left > .zero { return .answer(generation, shorter: left < request.minimumLife) }
      return .refuse(refusal(at: now))
    }
  }

  private mutating func askedWhileHolding(
    _ generation: Generation, _ request: AccessRequest, at now: BootInstant
  ) -> AskAction {
    let left = generation.lifeLeft(at: now)
    let isForced = request.isForced && mayForce(at: now)
    if !isForced || !generation.isVerified, left > .zero {
      switch Freshness.of(generation, asked: request.minimumLife, at: now) {
      case .serve: return generation.isVerified ? .answer(generation, shorter: false) : joinOrBegin(.verify)
      case .serveShorter: return generation.isVerified ? .answer(generation, shorter: true) : joinOrBegin(.verify)
      case .due: break
      }
    }
    return due(generation, request, isForced: isForced, at: now)
  }

  private mutating func due(
    _ generation: Generation, _ request: AccessRequest, isForced: Bool, at now: BootInstant
  ) -> AskAction {
    let left = generation.lifeLeft(at: now)
    let present = AskAction.answer(generation, shorter: left < request.minimumLife)
    let isServable = generation.isVerified && left > .zero
    guard generation.refreshToken != nil else {
      return isServable ? present : .refuse(.signInRequired(account: name, .cannotRenew))
    }
    if work == .resolve, isServable { return present }
    if work != nil { return .join }
    if backoff.wait(at: now) != nil { return isServable ? present : .refuse(refusal(at: now)) }
    guard generation.isStored else {
      return isServable && !isForced ? present : notStored(present: isServable ? present : nil)
    }
    if now - generation.receivedAt < Self.minimumInterval, !isForced {
      return isServable ? present : .refuse(.temporary(account: name, message: "tokens without life", retryAfter: 1))
    }
    if isForced { lastForced = now }
    return .begin(.rotate)
  }

  /// The next refresh waits until the store has the tokens of the last one, unless it refuses them.
  func notStored(present: AskAction?) -> AskAction {
    guard storeRefuses else { return joinOrBegin(.store) }
    return present ?? .refuse(notStoredYet)
  }

  var notStoredYet: VaultError { .storage(account: name, message: "the last tokens are not stored yet") }

  /// However short the lives that an issuer grants, one account refreshes no more often than this.
  static let minimumInterval = Duration.seconds(1)

  private func mayForce(at now: BootInstant) -> Bool {
    guard let lastForced else { return true }
    return now - lastForced >= forceInterval
  }

  func joinOrBegin(_ next: Work) -> AskAction { work == nil ? .begin(next) : .join }

  // MARK: Working

  mutating func began(_ next: Work) {
    precondition(work == nil, "one piece of work at a time")
    work = next
  }

  mutating func ended() { work = nil }

  /// The refresh that runs has an unknown fate: whoever can be served with the present token need not wait for it.
  mutating func becameUncertain() { work = .resolve }

  /// A generation is in memory: loaded, or just received.
  mutating func hold(_ generation: Generation) {
    if case .gone = state { return }
    state = .holding(generation)
    trouble = nil
    backoff.succeeded()
  }

  private mutating func forgetNarrowed() { narrowed = NarrowedTokens() }

  /// Loading stopped short.
  mutating func bar(_ bar: Bar) {
    if case .gone = state { return }
    state = .barred(bar)
  }

  /// The store was opened: what it refused before is read again when somebody asks.
  mutating func unbar() {
    guard case .barred(let bar) = state, work == nil else { return }
    switch bar {
    case .locked, .unavailable, .storage: state = .unloaded
    case .flying, .signIn: break
    }
  }

  /// The refresh token of `generation` is of no more use. A later generation is left alone.
  mutating func die(_ reason: SignInReason, generation: UInt64) {
    guard case .holding(let held) = state, held.number == generation else { return }
    state = .dead(reason)
    forgetNarrowed()
  }

  /// A refresh brought nothing, and the token is as good as before.
  mutating func failed(_ trouble: Trouble, at now: BootInstant, retryAfter: Int64?, jitter: Double) {
    self.trouble = trouble
    backoff.failed(at: now, retryAfter: retryAfter, jitter: jitter)
  }

  mutating func stored(generation: UInt64) {
    guard case .holding(var held) = state, held.number == generation else { return }
    held.isStored = true
    state = .holding(held)
  }

  mutating func verified(generation: UInt64) {
    guard case .holding(var held) = state, held.number == generation else { return }
    held.isVerified = true
    state = .holding(held)
  }

  /// Sign-out begins. Nothing is served, started or published from here on.
  mutating func leave() {
    state = .gone
    forgetNarrowed()
  }

  /// Forgets what was loaded, for `Lock`.
  mutating func forget() {
    if case .gone = state { return }
    state = .unloaded
    forgetNarrowed()
  }

  // MARK: Telling

  /// What keeps the tokens from being refreshed just now, in words.
  var troubleText: String? {
    switch trouble {
    case .temporary(let what), .misconfigured(let what), .storage(let what): what
    case .locked: "the store is locked"
    case nil: nil
    }
  }

  private func refusal(for bar: Bar) -> VaultError {
    switch bar {
    case .locked: .locked(account: name)
    case .unavailable(let what): .temporary(account: name, message: what, retryAfter: 5)
    case .storage(let what): .storage(account: name, message: what)
    case .flying: .temporary(account: name, message: "an earlier request is still under way", retryAfter: 5)
    case .signIn(let reason): .signInRequired(account: name, reason)
    }
  }

  func refusal(at now: BootInstant) -> VaultError {
    let wait = backoff.wait(at: now) ?? 1
    switch trouble {
    case .temporary(let what): return .temporary(account: name, message: what, retryAfter: wait)
    case .misconfigured(let what): return .misconfigured(account: name, message: what)
    case .storage(let what): return .storage(account: name, message: what)
    case .locked: return .locked(account: name)
    case nil: return .temporary(account: name, message: "no token yet", retryAfter: wait)
    }
  }
}
