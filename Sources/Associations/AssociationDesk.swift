package import Exchange
import Synchronization
package import Time
package import Vault

/// Where it is asked what a site says of us. One fetch a host at a time, for all who ask.
package final class AssociationDesk: Sendable {
  /// How long a site has to answer.
  package static let patience = Duration.seconds(10)

  private enum Turn {
    case mine
    case answer(AssociationCache.Answer)
    case later(Int)
  }

  private struct State {
    var cache = AssociationCache()
    var waiters: [AssociationDomain: [CheckedContinuation<Turn, Never>]] = [:]
  }

  private let clock: any Clock
  private let executor: (any TaskExecutor)?
  private let fetch: @Sendable (OutgoingRequest) async throws(CarrierError) -> HTTPAnswer
  private let state = Mutex(State())

  package init(
    clock: any Clock, executor: (any TaskExecutor)?,
    fetch: @escaping @Sendable (OutgoingRequest) async throws(CarrierError) -> HTTPAnswer
  ) {
    self.clock = clock
    self.executor = executor
    self.fetch = fetch
  }

  /// What the site says, as far as it is known or can be fetched. Throws ``Vault/VaultError/temporary(account:message:retryAfter:)``
  /// when too much was fetched just now.
  package func ask(_ host: AssociationDomain, _ egress: EgressPolicy) async throws(VaultError)
    -> AssociationCache.Answer
  {
    let turn = await withCheckedContinuation { caller in
      if let turn = join(caller, host) { caller.resume(returning: turn) }
    }
    switch turn {
    case .mine: return await run(host, egress)
    case .answer(let answer): return answer
    case .later(let seconds):
      throw .temporary(account: nil, message: "too many sites were asked just now", retryAfter: seconds)
    }
  }

  /// The caller's turn, or nil when the caller was put among those who wait.
  private func join(_ caller: CheckedContinuation<Turn, Never>, _ host: AssociationDomain) -> Turn? {
    state.withLock { state in
      switch state.cache.wanted(host, at: clock.now) {
      case .use(let answer): return .answer(answer)
      case .fetch: return .mine
      case .later(let seconds): return .later(seconds)
      case .wait:
        state.waiters[host, default: []].append(caller)
        return nil
      }
    }
  }

  private func run(_ host: AssociationDomain, _ egress: EgressPolicy) async -> AssociationCache.Answer {
    let finding = await find(host, egress)
    let (answer, waiters) = state.withLock { state in
      (state.cache.finished(host, finding, at: clock.now), state.waiters.removeValue(forKey: host) ?? [])
    }
    for waiter in waiters { waiter.resume(returning: .answer(answer)) }
    return answer
  }

  private func find(_ host: AssociationDomain, _ egress: EgressPolicy) async -> AssociationFinding {
    let request = OutgoingRequest(.get, host.url, egress: egress)
    let flight = Task(executorPreference: executor) { [fetch] in
      do throws(CarrierError) {
        return AssociationFinding(try await fetch(request), from: host)
      } catch {
        switch error {
        case .notSent(let why), .unknown(let why): return .unreachable(why)
        }
      }
    }
    let timer = Task(executorPreference: executor) { [clock] in
      do throws(CancellationError) { try await clock.sleep(until: clock.now + Self.patience) } catch { return }
      flight.cancel()
    }
    defer { timer.cancel() }
    return await flight.value
  }
}
