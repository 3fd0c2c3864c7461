import Time

/// Second factors: who is asked, and what is taken.
extension IssuerState {
  /// Begins to ask whoever pressed their button. False: there is no such visit, or it is too old.
  mutating func ask(_ person: Person, in name: String, now: Moment) -> Bool {
    guard var transaction = transactions[name], now.boot - transaction.started < Transaction.lifetime else {
      transactions[name] = nil
      return false
    }
    transaction.proving = Proving(person)
    transactions[name] = transaction
    return true
  }

  /// A visit that is being asked, with what the person has; nil: there is none, or it is too old.
  func asked(_ name: String, now: Moment) -> (transaction: Transaction, proving: Proving, factor: SecondFactor)? {
    guard let transaction = transactions[name], now.boot - transaction.started < Transaction.lifetime,
      let proving = transaction.proving
    else { return nil }
    return (transaction, proving, factors[proving.person.handle] ?? SecondFactor())
  }

  /// Looks at a code. A right one sets up the app of a person who has nothing yet.
  mutating func prove(code: String, in name: String, now: Moment) throws -> ProofOutcome {
    guard var (transaction, proving, factor) = asked(name, now: now) else { return .wrong }
    guard var app = factor.code ?? (factor.isSetUp ? nil : proving.newCode) else { return .wrong }
    let verdict = try app.check(code, now: now)
    if factor.isSetUp || verdict == .right {
      factor.code = app
      factors[proving.person.handle] = factor
    } else {
      proving.newCode = app
      transaction.proving = proving
      transactions[name] = transaction
    }
    return switch verdict {
    case .right: .proved(["otp", "mfa"])
    case .wrong: .wrong
    case .tooMany(let wait): .tooMany(wait)
    }
  }

  /// Looks at what a passkey signed, or registers one for a person who has nothing yet.
  mutating func prove(passkey fields: FormFields, in name: String, now: Moment) -> ProofOutcome {
    guard var (transaction, proving, factor) = asked(name, now: now) else { return .wrong }
    let ceremony = Passkey.Ceremony(challenge: proving.challenge, origin: origin)
    proving.renewChallenge()
    transaction.proving = proving
    transactions[name] = transaction
    var isVerified = false
    if var passkey = factor.passkey {
      guard let verified = passkey.verify(fields, ceremony) else { return .wrong }
      isVerified = verified
      factor.passkey = passkey
    } else {
      guard !factor.isSetUp, let made = Passkey.register(fields, ceremony) else { return .wrong }
      isVerified = made.isPersonVerified
      factor.passkey = made.passkey
    }
    factors[proving.person.handle] = factor
    // Having the key is one factor; that it knows its person is the other.
    return .proved(isVerified ? ["passkey", "mfa"] : ["passkey"])
  }
}
