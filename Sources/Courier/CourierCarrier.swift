import CrashPoints
package import EventLoop
package import Exchange
import Journal
import Time
package import Vault

/// Carries requests by courier: one short-lived process each, a few at a time.
package actor CourierCarrier: Carrier {
  private let program: CourierProgram
  private let journal: FileJournal
  private let machine: String
  private let user: UInt32
  private let limits: CourierLimits
  private let loop: EventLoop
  private var slots = CourierSlots()
  private var waiting: [CourierSlots.Number: Latch<Bool>] = [:]
  private var lastNumber: CourierSlots.Number = 0
  private let onStart: @Sendable (Int32) -> Void
  /// Whether couriers land answers. False only in test builds that show what is lost without it.
  private let lands: Bool

  /// The version of Landlock that confined the last courier, 0 when the kernel has none; nil before the first.
  package private(set) var landlockVersion: UInt8?
  /// Couriers that have not ended yet. A daemon that stops waits until it is 0.
  package private(set) var flying = 0
  private var grounded: [Latch<Void>] = []
  /// The couriers that fly with a journal, by account.
  private var flights: [String: CourierProcess] = [:]

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// `machine` is `/etc/machine-id`; `journal` is where journaled flights land; `onStart` is told the
  /// process id of each courier.
  package init(
    program: CourierProgram, journal: FileJournal, machine: String, user: UInt32,
    limits: CourierLimits = CourierLimits(), loop: EventLoop,
    onStart: @escaping @Sendable (Int32) -> Void = { _ in }
  ) {
    self.onStart = onStart
    self.program = program
    self.journal = journal
    self.machine = machine
    self.user = user
    self.limits = limits
    self.loop = loop
    lands = Faults.courierLands
  }

  package func exchange(_ request: OutgoingRequest) async throws(CarrierError) -> HTTPAnswer {
    let boarding = boarding(request, nil)
    let courier = try await withTaskCancellationHandler {
      await boarding.value
    } onCancel: {
      boarding.cancel()
    }.get()
    guard !Task.isCancelled else {
      courier.kill()
      throw .notSent("called off")
    }
    let passage = Task(executorPreference: loop) { [limits] in
      await courier.depart(isJournaled: false, within: limits.outcome)
    }
    let outcome = await withTaskCancellationHandler {
      await passage.value
    } onCancel: {
      courier.kill()
    }
    switch outcome {
    case .answer(let answer): return answer
    case .notSent(let why): throw .notSent(why)
    case .unknown(let why): throw .unknown(why)
    case .landed: throw .unknown("the courier spoke of a journal")
    }
  }

  package func board(
    _ request: OutgoingRequest, _ ticket: FlightTicket
  ) async throws(CarrierError) -> any Flight {
    let identity = JournalIdentity(
      user: user, machine: machine, account: ticket.account.text, issuer: ticket.issuer)
    let number = FlightNumber(generation: ticket.generation, flight: ticket.flight)
    let landing: Ticket.Landing = !lands ? .none : ticket.isPoll ? .successes : .all
    let ticket = Ticket(identity: identity, number: number, key: ticket.flightKey, landing: landing)
    #if FAULTS
      if Faults.nextIsRefused() {
        Faults.takeFlight()
        throw .notSent("connection refused")
      }
    #endif
    let courier = try await boarding(request, ticket).value.get()
    return CourierFlight(courier: courier, ticket: ticket, journal: journal, limit: limits.outcome, loop: loop)
  }

  package func recall(_ account: AccountID) { flights[account.text]?.kill() }

  /// Returns when no courier of this daemon is running.
  package func allEnded() async {
    guard flying > 0 else { return }
    let latch = Latch<Void>()
    grounded.append(latch)
    do { try await latch.wait() } catch {}
  }
}

// Boarding: from the wait for a slot to "connected". All of it has deadlines, and nothing is sent.
extension CourierCarrier {
  /// It goes on although the caller's task is cancelled, unless it is cancelled itself.
  private func boarding(
    _ request: OutgoingRequest, _ ticket: Ticket?
  ) -> Task<Result<CourierProcess, CarrierError>, Never> {
    Task(executorPreference: loop) {
      do throws(CarrierError) {
        return .success(try await self.launch(request, ticket))
      } catch {
        return .failure(error)
      }
    }
  }

  private func launch(_ request: OutgoingRequest, _ ticket: Ticket?) async throws(CarrierError) -> CourierProcess {
    let origin = Origin.of(request.url)
    guard await takeSlot(origin) else { throw .notSent("too many requests are on their way") }
    let courier: CourierProcess
    do throws(SystemError) {
      courier = try CourierProcess(program, on: loop)
    } catch {
      giveSlot(origin)
      throw .notSent("\(error)")
    }
    flying += 1
    if let ticket { flights[ticket.identity.account] = courier }
    onStart(courier.process)
    #if FAULTS
      if ticket != nil { CrashScene.courierStarted(courier.process) }
    #endif
    Task(executorPreference: loop) {
      await courier.ended()
      #if FAULTS
        CrashScene.courierEnded(courier.process)
      #endif
      await self.hasEnded(courier, origin)
    }
    do throws(CarrierError) {
      try await prepare(courier, request, ticket)
    } catch {
      courier.kill()
      throw error
    }
    return courier
  }

  private func prepare(
    _ courier: CourierProcess, _ request: OutgoingRequest, _ ticket: Ticket?
  ) async throws(CarrierError) {
    let place = try await place(ticket)
    var briefing = Briefing(journal: place, caFile: request.egress.caFile)
    #if FAULTS
      if place != nil { briefing.faults = CrashScene.words }
    #endif
    if let why = courier.send(.briefing(briefing)) { throw .notSent(why) }
    landlockVersion = try await expect(courier, limits.ready) { message in
      guard case .ready(let version) = message else { return nil }
      return version
    }
    if let why = courier.send(.request(request, ticket)) { throw .notSent(why) }
    try await expect(courier, limits.connected) { (message) -> Void? in
      guard case .connected = message else { return nil }
      return ()
    }
  }

  private func place(_ ticket: Ticket?) async throws(CarrierError) -> Briefing.Place? {
    guard let ticket else { return nil }
    do throws(JournalError) {
      return try await journal.place(ticket.identity.account)
    } catch {
      switch error {
      case .storage(let why), .untrusted(let why), .damaged(let why): throw .notSent(why)
      }
    }
  }

  /// The next message, if it is the one that has to come now.
  private func expect<Value: Sendable>(
    _ courier: CourierProcess, _ limit: Duration, _ read: (FromCourier) -> Value?
  ) async throws(CarrierError) -> Value {
    let message: FromCourier
    do throws(CourierProcess.Silence) {
      message = try await courier.receive(until: loop.now + limit)
    } catch {
      throw .notSent(error.text)
    }
    if let value = read(message) { return value }
    if case .notSent(let why) = message { throw .notSent(why) }
    throw .notSent(CourierProcess.Silence.nonsense.text)
  }

  private func takeSlot(_ origin: String) async -> Bool {
    lastNumber += 1
    let number = lastNumber
    if slots.request(number, origin) { return true }
    let latch = Latch<Bool>()
    waiting[number] = latch
    let timer = loop.schedule(at: loop.now + limits.slot) { latch.settle(false) }
    defer { timer.cancel() }
    do { _ = try await latch.wait() } catch {}
    waiting[number] = nil
    // It may have been granted in the same turn as the time was over.
    return !slots.withdraw(number)
  }

  private func giveSlot(_ origin: String) {
    for number in slots.release(origin) { waiting[number]?.settle(true) }
  }

  private func hasEnded(_ courier: CourierProcess, _ origin: String) {
    giveSlot(origin)
    flights = flights.filter { $0.value !== courier }
    flying -= 1
    guard flying == 0 else { return }
    grounded.forEach { $0.settle(()) }
    grounded = []
  }
}
