import Exchange
import Secrets
import Vault

/// An issuer of which nothing is asked but where to sign in.
struct QuietIssuer: Issuer {
  let profile: IssuerProfile

  func authorizationURL(_ attempt: AuthorizationAttempt) async throws(IssuerError) -> String {
    "https://issuer.test/go"
  }
  func promisesIssuerParameter() async throws(IssuerError) -> Bool { false }
  func codeRequest(code: SecretBox, attempt: AuthorizationAttempt) async throws(IssuerError) -> OutgoingRequest {
    throw .temporary("quiet")
  }
  func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    throw .temporary("quiet")
  }
  func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer { .unknown("quiet", retryAfter: nil) }
  func verify(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity {
    VerifiedIdentity(issuer: profile.identifier, subject: "ada", claims: [])
  }
  func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { nil }
  func endSessionRequests(_ tokens: TokenSet) async throws(IssuerError) -> [OutgoingRequest] { [] }
}

/// A carrier that never gets anywhere.
struct GroundedCarrier: Carrier {
  func exchange(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer { throw .notSent("grounded") }
  func board(_ request: OutgoingRequest, _ ticket: FlightTicket) async throws(CarrierError) -> any Flight {
    throw .notSent("grounded")
  }
  func recall(_ account: AccountID) async {}
}

/// Journals that are always idle.
struct IdleJournal: RotationJournal {
  func prepare(_ context: JournalContext) async throws(JournalError) {}
  func read(_ context: JournalContext) async throws(JournalError) -> JournalReading {
    JournalReading(intent: .none, isFlying: false, departed: false, pad: nil, forged: 0)
  }
  func write(_ intent: SendingIntent, _ context: JournalContext) async throws(JournalError) {}
  func settle(_ idle: IdleIntent, _ context: JournalContext) async throws(JournalError) {}
  func landing(_ context: JournalContext) async throws(JournalError) -> HTTPAnswer? { nil }
  func courierGone(_ account: AccountID) async {}
  func wipe(_ account: AccountID) async throws(JournalError) {}
}

/// An index that forgets.
struct NoDirectory: AccountDirectory {
  func write(_ entries: [AccountEntry]) async throws(JournalError) {}
}
