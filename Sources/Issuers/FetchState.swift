import Time
import Vault

/// Decides when something that an issuer publishes is fetched. Pure.
///
/// One fetch is under way at a time; whoever comes meanwhile waits for it. A failure is remembered for a moment, so that
/// many callers do not become many requests.
struct FetchState<Value: Sendable> {
  /// How long a failure is answered with itself.
  static var failureLife: Duration { .seconds(5) }

  private enum Knowledge {
    case none
    case value(Value, fetchedAt: BootInstant)
    /// The last fetch failed; `old` is what was had before it.
    case failure(IssuerError, failedAt: BootInstant, old: (value: Value, fetchedAt: BootInstant)?)
  }

  enum Decision {
    case use(Value)
    case fail(IssuerError)
    /// Fetch, then call ``finished(_:at:)``.
    case fetch
    /// Somebody else fetches.
    case wait
  }

  private var knowledge = Knowledge.none
  private var isFetching = false

  /// What to do for a caller who takes a value fetched within `maximumAge`.
  mutating func wanted(maximumAge: Duration, at now: BootInstant) -> Decision {
    switch knowledge {
    case .value(let value, let fetchedAt) where now - fetchedAt < maximumAge: return .use(value)
    case .failure(let error, let failedAt, _) where now - failedAt < Self.failureLife: return .fail(error)
    case .none, .value, .failure: break
    }
    if isFetching { return .wait }
    isFetching = true
    return .fetch
  }

  /// Takes in how a fetch ended, and says what those who waited for it get.
  ///
  /// A temporary failure is bridged by what was had before, if that is younger than `staleLife`.
  mutating func finished(
    _ result: Result<Value, IssuerError>, staleLife: Duration, at now: BootInstant
  ) -> Result<Value, IssuerError> {
    isFetching = false
    switch result {
    case .success(let value):
      knowledge = .value(value, fetchedAt: now)
      return result
    case .failure(let error):
      let old = known
      if case .temporary = error, let old, now - old.fetchedAt < staleLife { return .success(old.value) }
      knowledge = .failure(error, failedAt: now, old: old)
      return result
    }
  }

  private var known: (value: Value, fetchedAt: BootInstant)? {
    switch knowledge {
    case .none: nil
    case .value(let value, let fetchedAt): (value, fetchedAt)
    case .failure(_, _, let old): old
    }
  }
}
