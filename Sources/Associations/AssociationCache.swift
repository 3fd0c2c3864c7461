package import Time

/// Decides when association files are fetched, and what holds meanwhile. Pure.
///
/// What a site says is believed for an hour. A site that says nothing any more, or not to us, is believed at once, which
/// is how it takes an app off; one that cannot be reached says nothing, and its last good file holds for a week.
package struct AssociationCache: Sendable {
  /// How long a file is not asked for again.
  package static let fileLife = Duration.seconds(3600)
  /// How long it is believed that there is none.
  package static let absentLife = Duration.seconds(300)
  /// How long a site that cannot be reached is left alone.
  package static let unreachableLife = Duration.seconds(60)
  /// How long a file holds when the site cannot be reached any more.
  package static let lastGoodLife = Duration.seconds(7 * 86_400)
  /// The most hosts that are remembered; the one asked longest ago goes first.
  package static let capacity = 64
  /// The most fetches in a minute, whoever asks.
  package static let fetchesPerMinute = 6

  /// What is known of a site.
  package struct Answer: Equatable, Sendable {
    package let finding: AssociationFinding
    /// When the site said so; for a file that holds although the site is away, when it was fetched.
    package let askedAt: BootInstant
    /// Why it could not be asked anew, when it could not.
    package let trouble: String?
  }

  package enum Decision: Equatable, Sendable {
    case use(Answer)
    /// Fetch, then call ``finished(_:_:at:)``.
    case fetch
    /// Somebody else fetches it.
    case wait
    /// Too many were fetched just now: seconds to wait.
    case later(Int)
  }

  private struct Known {
    var answer: Answer
    var triedAt: BootInstant
  }

  private var known: [AssociationDomain: Known] = [:]
  private var fetching: Set<AssociationDomain> = []
  private var starts: [BootInstant] = []

  package init() {}

  /// What to do for somebody who asks about a host.
  package mutating func wanted(_ host: AssociationDomain, at now: BootInstant) -> Decision {
    if let known = known[host], now - known.triedAt < Self.life(of: known.answer) { return .use(known.answer) }
    if fetching.contains(host) { return .wait }
    starts.removeAll { now - $0 >= .seconds(60) }
    if starts.count >= Self.fetchesPerMinute, let first = starts.first {
      return .later(max(1, Int((first + .seconds(60) - now).wholeSeconds)))
    }
    starts.append(now)
    fetching.insert(host)
    return .fetch
  }

  /// Takes in how a fetch ended, and says what holds now.
  package mutating func finished(
    _ host: AssociationDomain, _ finding: AssociationFinding, at now: BootInstant
  ) -> Answer {
    fetching.remove(host)
    var answer = Answer(finding: finding, askedAt: now, trouble: nil)
    if case .unreachable(let why) = finding, let old = known[host]?.answer, case .file = old.finding,
      now - old.askedAt < Self.lastGoodLife
    {
      answer = Answer(finding: old.finding, askedAt: old.askedAt, trouble: why)
    }
    known[host] = Known(answer: answer, triedAt: now)
    if known.count > Self.capacity, let oldest = known.min(by: { $0.value.triedAt < $1.value.triedAt }) {
      known[oldest.key] = nil
    }
    return answer
  }

  private static func life(of answer: Answer) -> Duration {
    if answer.trouble != nil { return unreachableLife }
    switch answer.finding {
    case .file: return fileLife
    case .absent: return absentLife
    case .unreachable: return unreachableLife
    }
  }
}
