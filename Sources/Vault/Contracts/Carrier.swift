package import Exchange
package import Secrets

/// Sends HTTP requests by courier. The daemon itself speaks to no issuer.
package protocol Carrier: Sendable {
  /// Carries a request that changes nothing worth a journal (discovery, keys, session check, sign-out). Cancelling the
  /// task calls it off at once.
  func exchange(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer

  /// R2: starts a courier that takes the journal's lock, resolves, connects, does TLS, and waits before the first byte.
  ///
  /// Throws ``CarrierError`` with `.notSent` when it could not get there: nothing was sent.
  func board(_ request: OutgoingRequest, _ ticket: FlightTicket) async throws(CarrierError) -> any Flight

  /// Ends what still flies for the account, departed or not: it was signed out, and no answer is wanted any more.
  func recall(_ account: AccountID) async
}

/// What a courier needs to land the answer in the journal.
package struct FlightTicket: Sendable {
  package let account: AccountID
  package let issuer: String
  /// The generation whose refresh token is sent; 0 for the code.
  package let generation: UInt64
  /// Counts flights of one account, so that a pad of an older flight is never taken for this one's.
  package let flight: UInt64
  /// 32 random bytes made for this flight, under which the pad is sealed.
  package let flightKey: SecretBox
  /// Whether it is a poll of the device authorization grant, of which only a success is landed: any other answer may be
  /// lost, for the next poll brings another one.
  package let isPoll: Bool

  package init(
    account: AccountID, issuer: String, generation: UInt64, flight: UInt64, flightKey: SecretBox, isPoll: Bool = false
  ) {
    self.account = account
    self.issuer = issuer
    self.generation = generation
    self.flight = flight
    self.flightKey = flightKey
    self.isPoll = isPoll
  }
}

/// A courier that is connected and waits for "go".
package protocol Flight: Sendable {
  /// R4: lets it send. Returns when the answer is durable in the journal, or the courier is gone. Never throws:
  /// what is not known to be `landed` or `notSent` is `unknown`.
  func depart() async -> FlightOutcome
  /// Calls it off before ``depart()``: nothing was sent.
  func abandon() async
}

package enum FlightOutcome: Sendable {
  /// The pad holds the answer and has been synced.
  case landed
  /// The answer is here, and not in the journal: it cannot keep it, so that the store has to, alone; or nothing has to.
  case answered(HTTPAnswer)
  /// The `departed` mark was never written: nothing was sent.
  case notSent(String)
  /// Something may have been sent.
  case unknown(String)
}

/// Why a request brought no answer.
package enum CarrierError: Error, Equatable, Sendable {
  /// Not one byte left: no name, no connection, no TLS, no courier. Safe to try again.
  case notSent(String)
  /// It may have arrived: closed, cut off or timed out after sending.
  case unknown(String)
}
