import Time

/// One question of `step-up/` that needed an answer from the person.
struct StepUp: Sendable {
  enum Status: String, CaseIterable, Sendable {
    case pending
    case approved
    case declined
    case expired
    case cancelled
  }

  /// How long it stays pending.
  static let lifetime = Duration.seconds(1800)

  let id: String
  /// The session that asked; nobody else learns of it.
  let session: String
  let action: String
  let returnTo: RegisteredRedirect?
  let started: BootInstant
  private var decided: Status?

  init(id: String, session: String, action: String, returnTo: RegisteredRedirect?, started: BootInstant) {
    self.id = id
    self.session = session
    self.action = action
    self.returnTo = returnTo
    self.started = started
  }

  func status(now: BootInstant) -> Status {
    decided ?? (now - started < Self.lifetime ? .pending : .expired)
  }

  /// False: it is over already.
  mutating func decide(_ status: Status, now: BootInstant) -> Bool {
    guard self.status(now: now) == .pending else { return false }
    decided = status
    return true
  }
}

/// Which actions need proof.
enum StepUpRule: String, CaseIterable, Sendable {
  /// A bank account, a way to be reached, and payouts from ``threshold`` on.
  case standard
  case always
  case never

  /// Of any currency: here nobody knows what money is worth.
  static let threshold = 100

  func asks(_ action: String, amount: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .standard: action != "payout" || (Int(amount?.prefix { $0 != "." } ?? "") ?? .max) >= Self.threshold
    }
  }
}

/// The step-ups of an issuer.
struct StepUpShelf: Sendable {
  /// Step-ups that are kept, the oldest forgotten first.
  static let maximum = 10_000

  var rule = StepUpRule.standard
  /// What is given out in place of the page's own address, for a test.
  var address: String?
  private var shelf: [String: StepUp] = [:]
  private var order: [String] = []

  mutating func add(_ stepUp: StepUp) {
    shelf[stepUp.id] = stepUp
    order.append(stepUp.id)
    if order.count > Self.maximum { shelf[order.removeFirst()] = nil }
  }

  subscript(id: String) -> StepUp? { shelf[id] }

  /// The one that was begun last.
  var last: StepUp? { order.last.flatMap { shelf[$0] } }

  /// Whether there is one that still waited.
  mutating func decide(_ id: String, _ status: StepUp.Status, now: BootInstant) -> Bool {
    shelf[id]?.decide(status, now: now) ?? false
  }
}
