import Exchange
import Secrets
import SignIn
import Synchronization

/// A loopback listener whose browsers a test sends.
final class ScriptedListener: CallbackListening {
  private struct State {
    var queries: [SecretBox] = []
    var desk: CheckedContinuation<SecretBox?, Never>?
    var browsers: [CheckedContinuation<CallbackFrame.Verdict?, Never>] = []
    var isClosed = false
    var hasGivenWay = false
    var mourners: [CheckedContinuation<Void, Never>] = []
  }

  let port: UInt16
  let request: ListenRequest
  private let state = Mutex(State())

  init(_ request: ListenRequest, port: UInt16) {
    self.request = request
    self.port = port
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  var hasGivenWay: Bool { state.withLock { $0.hasGivenWay } }

  /// A browser comes back with this query. Returns what it is told; nil when the listener is gone.
  func come(_ query: String) async -> CallbackFrame.Verdict? {
    await withCheckedContinuation { browser in
      let (desk, isClosed) = state.withLock { state -> (CheckedContinuation<SecretBox?, Never>?, Bool) in
        if state.isClosed { return (nil, true) }
        state.browsers.append(browser)
        if let desk = state.desk.take() { return (desk, false) }
        state.queries.append(secret(query))
        return (nil, false)
      }
      if isClosed { browser.resume(returning: nil) }
      desk?.resume(returning: secret(query))
    }
  }

  func nextQuery() async -> SecretBox? {
    await withCheckedContinuation { desk in
      let (query, isClosed) = state.withLock { state -> (SecretBox?, Bool) in
        if state.isClosed { return (nil, true) }
        if state.queries.isEmpty {
          state.desk = desk
          return (nil, false)
        }
        return (state.queries.removeFirst(), false)
      }
      if query != nil || isClosed { desk.resume(returning: query) }
    }
  }

  func send(_ verdict: CallbackFrame.Verdict) {
    state.withLock { $0.browsers.isEmpty ? nil : $0.browsers.removeFirst() }?.resume(returning: verdict)
  }

  func gone() async {
    await withCheckedContinuation { mourner in
      let isGone = state.withLock { state in
        if !state.isClosed { state.mourners.append(mourner) }
        return state.isClosed
      }
      if isGone { mourner.resume() }
    }
  }

  func giveWay() async {
    state.withLock { $0.hasGivenWay = true }
    close()
  }

  func close() {
    let (desk, browsers, mourners) = state.withLock { state in
      state.isClosed = true
      defer { (state.browsers, state.mourners) = ([], []) }
      return (state.desk.take(), state.browsers, state.mourners)
    }
    for mourner in mourners { mourner.resume() }
    desk?.resume(returning: nil)
    for browser in browsers { browser.resume(returning: nil) }
  }
}
