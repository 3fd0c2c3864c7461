import Sodium

/// What a person proves with who they are, once they have set it up.
struct SecondFactor: Sendable {
  var code: TimedCode?
  var passkey: Passkey?

  /// Whoever has one proves it; only who has none may set one up.
  var isSetUp: Bool { code != nil || passkey != nil }
}

/// A visit in which a person is asked for more than a button.
struct Proving: Sendable {
  let person: Person
  /// What the next passkey has to sign (WebAuthn §13.4.3); another one after each try.
  private(set) var challenge = Words.secret()
  /// The authenticator app that is being set up, if the person has none.
  var newCode = TimedCode()

  init(_ person: Person) { self.person = person }

  mutating func renewChallenge() { challenge = Words.secret() }
}

/// How a try at proving oneself went.
enum ProofOutcome: Equatable {
  /// With these methods (RFC 8176 §2; `passkey` is the vendor's word).
  case proved([String])
  case wrong
  /// Nothing is looked at for so many seconds.
  case tooMany(Int64)
}
