import CLinux
import Confinement
import CrashPoints
import Curl
import Exchange
import Glibc
import Journal
import Secrets
import Sodium

/// A courier's life: be briefed, confine itself, carry one exchange, report, end.
///
/// It ends by itself when the daemon goes away before "go". After "go" it needs nobody: the answer is landed first and
/// reported then.
enum Voyage {
  /// Seconds on CLOCK_BOOTTIME after which the process is ended, however stuck. Longer than an exchange may take and
  /// shorter than the 40 s that a service manager waits for us.
  static let lifetime: Int32 = 35
  /// Milliseconds that the daemon has for each of its messages.
  static let patience: Int32 = 10_000

  /// Returns whether it could do its work; the outcome of the exchange is reported through the channel.
  static func run(channel: Int32) -> Bool {
    do {
      guard clinux_die_after(lifetime) == 0 else { return false }
      try Confinement.forbidDumps()
      try Sodium.start()
      guard Curl.start() else { return false }
      try sail(Post(channel))
      return true
    } catch {
      return false
    }
  }

  private static func sail(_ post: Post) throws {
    guard case .briefing(let briefing) = try post.receive(within: patience) else { return }
    #if FAULTS
      CrashScene.becomeCourier(briefing.faults, channel: post.descriptor)
    #endif
    guard var provisions = try prepared(briefing, post) else { return }
    CrashPoint.courierReady.reached()
    try post.send(.ready(landlockVersion: provisions.report.landlockVersion))
    guard case .request(let request, let ticket) = try post.receive(within: patience) else { return }
    try carry(request, try Landing(provisions.takeJournal(), ticket), provisions.environment, post)
  }

  /// Nil when it could not get ready: the daemon has been told why.
  private static func prepared(_ briefing: Briefing, _ post: Post) throws -> Provisions? {
    do {
      let provisions = try Provisions.gather(briefing)
      if try provisions.takeLock() { return provisions }
      try post.send(.notSent("another courier of this account is flying"))
    } catch {
      try post.send(.notSent("the courier could not get ready: \(error)"))
    }
    return nil
  }

  private static func carry(
    _ request: OutgoingRequest, _ landing: Landing, _ environment: ExchangeEnvironment, _ post: Post
  ) throws {
    let answer: HTTPAnswer
    do throws(ExchangeFailure) {
      answer = try HTTPExchange.perform(request, environment) { mayDepart(landing, post) }
    } catch {
      switch error {
      case .notSent(let why): return try post.send(.notSent(why))
      case .unknown(let why): return try post.send(.unknown(why))
      }
    }
    CrashPoint.courierAnswered.reached()
    try report(answer, landing, post)
  }

  /// Waits for "go" at the last moment before the first byte, and marks the departure.
  private static func mayDepart(_ landing: Landing, _ post: Post) -> Bool {
    do {
      CrashPoint.courierConnected.reached()
      try post.send(.connected)
      guard case .go = try post.receive(within: patience) else { return false }
      CrashPoint.courierMayGo.reached()
      try landing.markDeparture()
      CrashPoint.courierMarked.reached()
    } catch {
      return false
    }
    do {
      try post.send(.departed)
    } catch {
      // The daemon has died after its "go". The answer lands for its successor.
    }
    CrashPoint.courierDeparted.reached()
    return true
  }

  private static func report(_ answer: HTTPAnswer, _ landing: Landing, _ post: Post) throws {
    switch landing {
    case .none: try post.send(.answer(answer))
    case .pad(let pad):
      if !pad.landing.takes(answer.status) { return try post.send(.answer(answer)) }
      do {
        try pad.strip.land(answer)
      } catch {
        // The daemon may do better: it can make a fresh journal, which a confined courier cannot.
        return try post.send(.answer(answer))
      }
      try post.send(.landed)
    }
  }
}
