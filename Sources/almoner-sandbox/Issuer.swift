import HTTPServer
import Synchronization

/// The issuer as the server sees it: its state behind a lock, its addresses, and what befalls its answers.
///
/// Every connection has a thread, so waiting here makes nobody else wait.
final class Issuer: HTTPHandler, Sendable {
  let controlKey: String
  let auto: Person?
  private let state: Mutex<IssuerState>

  init(_ state: IssuerState, auto: Person?) {
    controlKey = Words.secret()
    self.auto = auto
    self.state = Mutex(state)
  }

  /// Looks at or changes the state. Nothing in `body` may wait.
  func with<R: Sendable>(_ body: (inout IssuerState) throws -> R) rethrows -> R { try state.withLock { try body(&$0) } }

  func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome {
    if request.path.hasPrefix(ControlRoute.prefix) { return .respond(ControlRoute.answer(request, self)) }
    let isOn = with { state in
      state.counters.count(.requests)
      return state.isOn
    }
    guard isOn, let route = Routes.all.first(where: { $0.serves(request.path) }) else { return .respond(.notFound) }
    guard route.methods.contains(request.method) else {
      let allowed = route.methods.joined(separator: ", ")
      return .respond(HTTPResponse(405, headers: [.init("Allow", allowed)]))
    }
    guard let target = route.fated else { return .respond(answer(route, request)) }
    let fate = with { state in
      if target == .token { state.counters.count(.tokenPosts) }
      return state.fates.next(target)
    }
    return meet(fate, exchange) { self.answer(route, request) }
  }

  private func answer(_ route: any Route.Type, _ request: HTTPRequest) -> HTTPResponse {
    do {
      return try route.answer(request, self)
    } catch {
      // Only drawing or using a key fails here, for want of memory.
      return HTTPResponse(500)
    }
  }

  private func meet(_ fate: Fate, _ exchange: HTTPExchange, _ commit: () -> HTTPResponse) -> HTTPOutcome {
    if case .late(let delay) = fate.ending {
      exchange.breakConnection()
      delay.blockThread()
      if fate.commits { _ = commit() }
      return .close
    }
    fate.delayBeforeCommit.blockThread()
    let right = fate.commits ? commit() : HTTPResponse(503)
    fate.delayBeforeAnswer.blockThread()
    switch fate.ending {
    case .answer: return .respond(right)
    case .close, .late: return .close
    case .replace(let other): return .respond(other)
    case .truncate:
      var half = right
      half.body = Array(half.body.prefix(half.body.count / 2))
      return .respond(half)
    case .slow(let bytes, let pause):
      var slow = right
      slow.pace = .slow(bytes: bytes, pause: pause)
      return .respond(slow)
    }
  }
}
