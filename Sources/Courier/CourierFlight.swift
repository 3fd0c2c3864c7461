import EventLoop
import Exchange
import Journal
import Vault

/// A courier that is connected and waits for "go", with a journal to land in.
struct CourierFlight: Flight {
  let courier: CourierProcess
  let ticket: Ticket
  let journal: FileJournal
  let limit: Duration
  let loop: EventLoop

  /// Goes on although the task is cancelled: what has departed cannot be called back.
  func depart() async -> FlightOutcome { await Task(executorPreference: loop) { await fly() }.value }

  func abandon() async { courier.kill() }

  private func fly() async -> FlightOutcome {
    #if FAULTS
      Faults.takeFlight()
    #endif
    switch await courier.depart(isJournaled: true, within: limit) {
    case .landed: return .landed
    case .notSent(let why): return .notSent(why)
    case .unknown(let why):
      // It may have died between landing and saying so.
      return await journal.secure(ticket) ? .landed : .unknown(why)
    case .answer(let answer) where ticket.landing == .successes && !ticket.landing.takes(answer.status):
      return .answered(answer)
    case .answer(let answer):
      // The courier could not land it.
      return await journal.land(answer, ticket) ? .landed : .answered(answer)
    }
  }
}
