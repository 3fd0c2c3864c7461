import EventLoop
import Synchronization
import Time

/// The keyring's prompt: one at a time, on a thread of its own, shared by all who ask while it is open.
final class SharedPrompt: Sendable {
  private struct Asking {
    let outcome: Latch<Result<Void, KeyringError>>
    let cancellation: Cancellation
    var waiting: Int
  }

  private enum State {
    case idle
    case asking(Asking)
  }

  private let loop: EventLoop
  private let limit: Duration
  private let state = Mutex(State.idle)
  /// Started with the first prompt: most daemons never show one.
  private let prompter = Mutex<Prompter?>(nil)

  /// `limit` is how long a prompt may stay open.
  init(_ loop: EventLoop, limit: Duration) {
    self.loop = loop
    self.limit = limit
  }

  /// Opens the prompt or joins the one that is open, and returns when what has these attributes is unlocked.
  func join(_ attributes: [String: String]) async throws(KeyringError) {
    let asking = enter(attributes)
    let result: Result<Void, KeyringError>
    do throws(CancellationError) {
      result = try await asking.outcome.wait()
    } catch {
      leave(asking)
      throw .dismissed
    }
    try result.get()
  }

  private func enter(_ attributes: [String: String]) -> Asking {
    let (asking, isNew) = state.withLock { state in
      switch state {
      case .asking(var asking):
        asking.waiting += 1
        state = .asking(asking)
        return (asking, false)
      case .idle:
        let asking = Asking(outcome: Latch(), cancellation: Cancellation(), waiting: 1)
        state = .asking(asking)
        return (asking, true)
      }
    }
    if isNew { Task(executorPreference: loop) { await self.ask(asking, attributes) } }
    return asking
  }

  /// The last one to leave closes the prompt.
  private func leave(_ asking: Asking) {
    let isLast = state.withLock { state in
      guard case .asking(var present) = state, present.outcome === asking.outcome else { return false }
      present.waiting -= 1
      state = present.waiting == 0 ? .idle : .asking(present)
      return present.waiting == 0
    }
    if isLast { asking.cancellation.cancel() }
  }

  private func ask(_ asking: Asking, _ attributes: [String: String]) async {
    let timer = loop.schedule(at: loop.now + limit) { asking.cancellation.cancel() }
    let result: Result<Void, KeyringError>
    do throws(KeyringError) {
      result = .success(try await startedPrompter().unlock(attributes, asking.cancellation))
    } catch {
      result = .failure(error)
    }
    timer.cancel()
    state.withLock { state in
      guard case .asking(let present) = state, present.outcome === asking.outcome else { return }
      state = .idle
    }
    asking.outcome.settle(result)
  }

  private func startedPrompter() throws(KeyringError) -> Prompter {
    do {
      return try prompter.withLock { prompter in
        let started = try prompter ?? Prompter(ThreadExecutor(name: "keyring-prompt"))
        prompter = started
        return started
      }
    } catch {
      throw .unavailable("no thread for the keyring's prompt")
    }
  }
}
