import Synchronization
import Time
import Vault

/// Something that an issuer publishes, fetched once for all who need it.
final class SharedFetch<Value: Sendable>: Sendable {
  private enum Turn {
    /// This caller is the one who fetches.
    case mine
    case settled(Result<Value, IssuerError>)
  }

  private struct State {
    var fetch: FetchState<Value>
    var waiters: [CheckedContinuation<Turn, Never>] = []
  }

  private let clock: any Clock
  private let fetch: @Sendable () async throws(IssuerError) -> Value
  private let state: Mutex<State>

  /// `staleLife` is how old a value may be when it cannot be fetched for the time being.
  init(
    clock: any Clock, staleLife: Duration = .zero, fetch: @escaping @Sendable () async throws(IssuerError) -> Value
  ) {
    self.clock = clock
    self.fetch = fetch
    state = Mutex(State(fetch: FetchState(staleLife: staleLife)))
  }

  /// The value, not older than `maximumAge`. Throws what the fetch throws, which has a deadline of its own.
  func value(maximumAge: Duration) async throws(IssuerError) -> Value {
    let turn = await withCheckedContinuation { caller in
      if let turn = join(caller, maximumAge: maximumAge) { caller.resume(returning: turn) }
    }
    switch turn {
    case .mine: return try await run().get()
    case .settled(let result): return try result.get()
    }
  }

  /// The caller's turn, or nil when the caller was put among those who wait.
  private func join(_ caller: CheckedContinuation<Turn, Never>, maximumAge: Duration) -> Turn? {
    state.withLock { state in
      switch state.fetch.wanted(maximumAge: maximumAge, at: clock.now) {
      case .use(let value): return .settled(.success(value))
      case .fail(let error): return .settled(.failure(error))
      case .fetch: return .mine
      case .wait:
        state.waiters.append(caller)
        return nil
      }
    }
  }

  private func run() async -> Result<Value, IssuerError> {
    let result: Result<Value, IssuerError>
    do throws(IssuerError) { result = .success(try await fetch()) } catch { result = .failure(error) }
    let (shared, waiters) = state.withLock { state in
      let waiters = state.waiters
      state.waiters = []
      return (state.fetch.finished(result, at: clock.now), waiters)
    }
    for waiter in waiters { waiter.resume(returning: .settled(shared)) }
    return shared
  }
}
