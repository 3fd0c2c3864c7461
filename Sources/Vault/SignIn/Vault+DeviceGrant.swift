package import Exchange
package import OAuth
package import Secrets
import Sodium
import Time

/// An issuer that may have the device authorization grant (RFC 8628). Kinds that can never have it do not conform.
package protocol DeviceGranting: Issuer {
  /// Whether there is a device authorization endpoint, in metadata or configuration.
  func offersDeviceGrant() async throws(IssuerError) -> Bool

  /// The device authorization request (RFC 8628 §3.1).
  func deviceCodesRequest(scopes: [String]) async throws(IssuerError) -> OutgoingRequest

  /// The device access token request (RFC 8628 §3.4): one poll.
  func deviceRequest(deviceCode: SecretBox) async throws(IssuerError) -> OutgoingRequest
}

/// The device authorization grant, from its codes to the first generation. No browser comes back, so there is neither
/// `state` nor verifier nor nonce.
///
/// Every poll is a flight of generation 0, like the redeeming of a code, since any of them may bring the tokens. All polls
/// of one sign-in share one flight number and one intent, which is synced once; only a success is landed. What else a poll
/// says, or that its answer was lost, changes nothing: the next poll asks again.
extension Vault {
  /// Whether a sign-in at this issuer can use the grant.
  package func offersDeviceGrant(_ profile: IssuerProfile) async throws(VaultError) -> Bool {
    do {
      guard let issuer = try tools.makeIssuer(profile) as? any DeviceGranting else { return false }
      return try await issuer.offersDeviceGrant()
    } catch {
      throw Self.error(error, account: nil)
    }
  }

  /// Asks the issuer for the codes of a sign-in.
  package func requestDeviceCodes(_ draft: SignInDraft) async throws(VaultError) -> DeviceAuthorization {
    let name = draft.account.name
    let answer: HTTPAnswer
    do throws(IssuerError) {
      let request = try await Self.granting(draft).deviceCodesRequest(scopes: draft.account.scopes)
      answer = try await exchange(request)
    } catch {
      throw Self.error(error, account: name)
    }
    switch answer.status {
    case 200..<300:
      do throws(DeviceAuthorizationError) { return try DeviceAuthorization(answer) } catch {
        throw .misconfigured(account: name, message: "\(error)")
      }
    case 400..<500 where answer.status != 408 && answer.status != 425 && answer.status != 429:
      throw .misconfigured(account: name, message: "the issuer gives out no device code\(Self.reason(answer))")
    case let status:
      throw .temporary(
        account: name, message: "the issuer gives out no device code now (status \(status))",
        retryAfter: Int(max(5, min(answer.retryAfter ?? 5, Backoff.retryAfterCap.wholeSeconds))))
    }
  }

  /// Polls until the person has decided, then checks who it is and stores the first generation.
  ///
  /// Cancelling the task gives it up. A poll that is on its way is waited for, and ends the session again that it brings.
  package func redeem(
    _ draft: SignInDraft, _ codes: DeviceAuthorization
  ) async throws(VaultError) -> SignInResult {
    var polling = DevicePolling(codes, at: tools.clock.now)
    var polls = DevicePolls(codes.deviceCode, draft)
    while true {
      switch polling.reached(tools.clock.now) {
      case .wait(let instant):
        do { try await tools.clock.sleep(until: instant) } catch { throw Self.calledOff }
        continue
      case .expire: throw Self.expired
      case .poll: break
      }
      guard !isDraining else { throw stopping(draft) }
      switch try await poll(draft, &polls) {
      case .landed(let answer, let intent), .found(let answer, let intent):
        if let binding = draft.issuer as? any KeyBinding { binding.note(answer) }
        let told = DevicePollAnswer(answer, isProven: draft.dpopKey != nil)
        switch polling.answered(told, retryAfter: answer.retryAfter, at: tools.clock.now) {
        case .goOn: continue
        case .redeem: return try await take(answer, draft, flight: intent.flight)
        case .end(let end): throw Self.error(end, draft, isLost: polls.isAnswerLost)
        }
      case .notSent, .unknown: polling.failed(at: tools.clock.now)
      case .storage(let why): throw .storage(account: draft.account.name, message: why)
      }
    }
  }

  /// One poll. An answer of which only the landing is known is looked for before the next one asks.
  private func poll(_ draft: SignInDraft, _ polls: inout DevicePolls) async throws(VaultError) -> FlightEnd {
    do {
      if let intent = polls.unheard {
        polls.unheard = nil
        await tools.journal.courierGone(draft.account.id)
        if let answer = try await tools.journal.landing(context(draft)) { return .landed(answer, intent) }
      }
      let plain = try await Self.granting(draft).deviceRequest(deviceCode: polls.deviceCode)
      let request = try draft.issuer.proven(plain, by: draft.dpopKey)
      let end = try await fly(request, draft, &polls)
      if case .unknown(let intent, _) = end {
        polls.unheard = intent
        polls.isAnswerLost = true
      }
      return end
    } catch let error as IssuerError {
      throw Self.error(error, account: draft.account.name)
    } catch let error as JournalError {
      return .storage(error.text)
    } catch let error as CarrierError {
      return .notSent(error.text)
    } catch {
      return .storage("no locked memory left")
    }
  }

  private func fly(_ request: OutgoingRequest, _ draft: SignInDraft, _ polls: inout DevicePolls) async throws
    -> FlightEnd
  {
    let intent = try polls.intent ?? polls.firstIntent(clock: tools.clock)
    let ticket = FlightTicket(
      account: draft.account.id, issuer: draft.account.issuer.identifier, generation: 0, flight: intent.flight,
      flightKey: intent.flightKey, isPoll: true)
    let flight = try await tools.carrier.board(request, ticket)
    if polls.intent == nil {
      do {
        try await tools.journal.write(intent, context(draft))
      } catch {
        await flight.abandon()
        throw error
      }
      polls.intent = intent
    }
    switch await flight.depart() {
    case .landed: return await tools.landing(intent, context(draft))
    case .answered(let answer): return .landed(answer, intent)
    case .notSent(let why): return .notSent(why)
    case .unknown(let why): return .unknown(intent, why)
    }
  }

  /// The tokens are here and durable: it goes on to its end, even when the caller goes away now.
  private func take(_ answer: HTTPAnswer, _ draft: SignInDraft, flight: UInt64) async throws(VaultError) -> SignInResult
  {
    // A daemon that stops leaves them to its successor.
    if isDraining { throw stopping(draft) }
    let tokens = try granted(draft.issuer.read(answer, previous: nil))
    let isWanted = !Task.isCancelled
    let taking = Task(executorPreference: tools.executor) { () -> Result<SignInResult, VaultError> in
      guard isWanted else {
        await self.endSession(draft.issuer, tokens)
        return .failure(Self.calledOff)
      }
      do throws(VaultError) {
        return .success(try await self.adopt(draft, tokens, flight: flight))
      } catch {
        return .failure(error)
      }
    }
    return try await taking.value.get()
  }

  // MARK: Parts

  private static let calledOff = VaultError.signInFailed(.cancelled, message: "cancelled")
  private static let expired = VaultError.signInFailed(
    .expired, message: "the code ran out before anybody had entered it and agreed; start again for a new one")

  private func stopping(_ draft: SignInDraft) -> VaultError {
    .temporary(account: draft.account.name, message: "the daemon is stopping", retryAfter: 1)
  }

  private static func granting(_ draft: SignInDraft) throws(IssuerError) -> any DeviceGranting {
    guard let issuer = draft.issuer as? any DeviceGranting else {
      throw .configuration("this kind of issuer has no device authorization grant")
    }
    return issuer
  }

  private func exchange(_ request: OutgoingRequest) async throws(IssuerError) -> HTTPAnswer {
    do throws(CarrierError) { return try await tools.carrier.exchange(request) } catch { throw .temporary(error.text) }
  }

  /// The issuer's error code, if it is one that is known.
  private static func reason(_ answer: HTTPAnswer) -> String {
    guard case .object(let response) = TokenResponseReading(answer.body), let error = response.error, error != .other
    else { return " (status \(answer.status))" }
    return ": it says \(error.rawValue)"
  }

  private static func error(_ end: DevicePolling.End, _ draft: SignInDraft, isLost: Bool) -> VaultError {
    switch end {
    // Some issuers say so of a code that was used.
    case .dead where isLost, .denied where isLost:
      .signInFailed(.refused, message: "an answer to the device code was lost, and a code works only once; start again")
    case .denied: .signInFailed(.cancelled, message: "declined at the issuer")
    case .expired: expired
    case .dead(let why): .signInFailed(.refused, message: "the issuer refused the device code: \(why)")
    case .misconfigured(let why): .misconfigured(account: draft.account.name, message: why)
    }
  }
}

/// What all polls of one sign-in share.
private struct DevicePolls {
  let deviceCode: SecretBox
  private let hash: [UInt8]
  /// What the journal was told before the first poll left.
  var intent: SendingIntent?
  /// The intent of a poll whose answer never came. It may have landed.
  var unheard: SendingIntent?
  /// Whether any answer was lost: what it said may have been the tokens.
  var isAnswerLost = false

  init(_ deviceCode: SecretBox, _ draft: SignInDraft) {
    self.deviceCode = deviceCode
    hash = KeyedHash.digest(deviceCode.secret, key: draft.journalKey.secret)
  }

  /// The journal of a sign-in is new: this is its first flight.
  func firstIntent(clock: any Clock) throws -> SendingIntent {
    SendingIntent(
      generation: 0, flight: 1, flightKey: SecretBox(try Random.secret(count: 32)), tokenHash: hash,
      boot: clock.bootID, sentAt: clock.now, sentWall: clock.wall, sends: 1, earlier: nil)
  }
}
