import Time
import Vault

/// Decides when something that an issuer publishes is fetched. Pure.
///
/// One fetch is under way at a time; whoever comes meanwhile waits for it. A failure is remembered for a moment, so that
/// many callers do not become many requests. A temporary failure is bridged by what was had before, for a while.
struct FetchState<Value: Sendable> {
  /// How long a failure is answered with itself.
  static var failureLife: Duration { .seconds(5) }

  private typealias Fetched = (value: Value, fetchedAt: BootInstant)

  private enum Knowledge {
    case none
    case value(Value, fetchedAt: BootInstant)
    /// The last fetch failed; `old` is what was had before it.
    case failure(IssuerError, failedAt: BootInstant, old: Fetched?)
  }

  enum Decision {
    case use(Value)
    case fail(IssuerError)
    /// Fetch, then call ``finished(_:at:)``.
    case fetch
    /// Somebody else fetches.
    case wait
  }

  /// How old a value may be when it cannot be fetched for the time being.
  let staleLife: Duration
  private var knowledge = Knowledge.none
  private var isFetching = false

  init(staleLife: Duration) { self.staleLife = staleLife }

  /// What to do for a caller who takes a value fetched within `maximumAge`.
  mutating func wanted(maximumAge: Duration, at now: BootInstant) -> Decision {
    switch knowledge {
    case .value(let value, let fetchedAt) where now - fetchedAt < maximumAge: return .use(value)
    case .failure(let error, let failedAt, let old) where now - failedAt < Self.failureLife:
      return bridge(error, old, now).map(Decision.use) ?? .fail(error)
    case .none, .value, .failure: break
    }
    if isFetching { return .wait }
    isFetching = true
    return .fetch
  }

  /// Takes in how a fetch ended, and says what those who waited for it get.
  mutating func finished(_ result: Result<Value, IssuerError>, at now: BootInstant) -> Result<Value, IssuerError> {
    isFetching = false
    switch result {
    case .success(let value):
      knowledge = .value(value, fetchedAt: now)
      return result
    case .failure(let error):
      let old = known
      knowledge = .failure(error, failedAt: now, old: old)
      return bridge(error, old, now).map(Result.success) ?? result
    }
  }

  /// What was had before, when the failure is temporary and it is not too old.
  private func bridge(_ error: IssuerError, _ old: Fetched?, _ now: BootInstant) -> Value? {
    guard case .temporary = error, let old, now - old.fetchedAt < staleLife else { return nil }
    return old.value
  }

  private var known: Fetched? {
    switch knowledge {
    case .none: nil
    case .value(let value, let fetchedAt): (value, fetchedAt)
    case .failure(_, _, let old): old
    }
  }
}
