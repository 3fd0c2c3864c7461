import Exchange
import Secrets
import Sodium
import Time

/// How R1–R4 ended.
enum FlightEnd: Sendable {
  /// The answer is here: durable in the journal, or as durable as a failing disk lets it be.
  case landed(HTTPAnswer, SendingIntent)
  /// The same, of an earlier request that nobody had read: nothing was sent.
  case found(HTTPAnswer, SendingIntent)
  /// Nothing was sent.
  case notSent(String)
  /// The journal could not be written; nothing was sent.
  case storage(String)
  case unknown(SendingIntent, String)

  static let calledOff = FlightEnd.notSent("called off")
}

extension SessionTools {
  /// R1–R4: carries one token request so that its answer survives the daemon.
  ///
  /// `hash` is the keyed hash of the token or code that `request` sends, `generation` the one it belongs to. If the last
  /// flight is the one `cleared`, its sends and those before it are known to have done nothing, and do not count.
  /// `earlier` tells of sendings before this one whose fate is unknown. An answer that landed earlier and was never read,
  /// that of flight `read` aside, is given instead of asking again. `isNarrowed` says that `request` asks for less than was
  /// granted. A flight that is called off before it departs makes no journal and sends nothing: the account may have been
  /// wiped.
  func fly(
    _ request: OutgoingRequest, generation: UInt64, hash: [UInt8], cleared: UInt64? = nil,
    after earlier: UnknownSends? = nil, read: UInt64? = nil, isNarrowed: Bool = false, _ context: JournalContext,
    isCalledOff: @Sendable () -> Bool = { false }
  ) async -> FlightEnd {
    do {
      if isCalledOff() { return .calledOff }
      try await journal.prepare(context)
      var reading = try await journal.read(context)
      if reading.isFlying {
        // The courier of the last flight reports before it exits.
        await journal.courierGone(context.account)
        reading = try await journal.read(context)
      }
      if isCalledOff() { return .calledOff }
      if let end = reading.unread(generation, read) { return end }
      let last = reading.lastFlight(of: generation, boot: clock.bootID)
      let ticket = FlightTicket(
        account: context.account, issuer: context.issuer, generation: generation, flight: last.flight + 1,
        flightKey: SecretBox(try Random.secret(count: 32)))
      let sends = last.flight == cleared ? 0 : last.sends
      return try await fly(
        request, ticket, hash: hash, sends: sends + 1, after: earlier, isNarrowed: isNarrowed, context,
        isCalledOff: isCalledOff)
    } catch let error as JournalError {
      return .storage(error.text)
    } catch let error as CarrierError {
      return .notSent(error.text)
    } catch {
      return .storage("no locked memory left")
    }
  }

  private func fly(
    _ request: OutgoingRequest, _ ticket: FlightTicket, hash: [UInt8], sends: UInt32, after earlier: UnknownSends?,
    isNarrowed: Bool, _ context: JournalContext, isCalledOff: @Sendable () -> Bool
  ) async throws -> FlightEnd {
    onStep(.r2)
    let flight = try await carrier.board(request, ticket)
    guard !isCalledOff() else {
      await flight.abandon()
      return .calledOff
    }
    onStep(.r3)
    let intent = SendingIntent(
      generation: ticket.generation, flight: ticket.flight, flightKey: ticket.flightKey, tokenHash: hash,
      boot: clock.bootID, sentAt: clock.now, sentWall: clock.wall, sends: sends, earlier: earlier,
      isNarrowed: isNarrowed)
    do {
      try await journal.write(intent, context)
    } catch {
      await flight.abandon()
      throw error
    }
    onStep(.r4)
    switch await flight.depart() {
    case .landed: return await landing(intent, context)
    case .answered(let answer): return .landed(answer, intent)
    case .notSent(let why): return .notSent(why)
    case .unknown(let why): return .unknown(intent, why)
    }
  }

  /// Reads what landed, more than once where it has to be: not being able to read now is no reason to send again.
  func landing(_ intent: SendingIntent, _ context: JournalContext) async -> FlightEnd {
    var why = "it is not authentic"
    for pause in [Duration.zero, .milliseconds(50), .milliseconds(200), .milliseconds(500)] {
      do {
        if pause > .zero { try await clock.sleep(until: clock.now + pause) }
        guard let answer = try await journal.landing(context) else { break }
        return .landed(answer, intent)
      } catch let error as JournalError {
        why = error.text
      } catch {
        break
      }
    }
    return .unknown(intent, "the answer that landed cannot be read: \(why)")
  }
}

extension JournalReading {
  /// The answer to this generation's token that is here and was not read.
  func unread(_ generation: UInt64, _ read: UInt64?) -> FlightEnd? {
    guard case .sending(let intent) = intent, intent.generation == generation, intent.flight != read, let pad
    else { return nil }
    return .found(pad, intent)
  }

  /// The highest flight so far, and how often this generation's token has been sent.
  fileprivate func lastFlight(of generation: UInt64, boot: BootID) -> (flight: UInt64, sends: UInt32) {
    switch intent {
    case .none, .unreadable: return (0, 0)
    case .idle(let idle): return (idle.flight, 0)
    case .sending(let sending):
      guard sending.generation == generation else { return (sending.flight, 0) }
      // The mark of another boot may never have reached the disk.
      let isCounted = departed || sending.boot != boot
      return (sending.flight, isCounted ? sending.sends : sending.sends - 1)
    }
  }
}

extension JournalError {
  var text: String {
    switch self {
    case .storage(let what), .untrusted(let what), .damaged(let what): what
    }
  }
}

extension CarrierError {
  var text: String {
    switch self {
    case .notSent(let what), .unknown(let what): what
    }
  }
}
