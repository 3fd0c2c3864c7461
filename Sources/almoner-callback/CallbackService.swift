import Exchange
import Glibc
import HTTPServer
import Secrets

/// Serves the browser on one side and the daemon on the other until the attempt is over.
final class CallbackService: HTTPHandler {
  /// How long a browser is kept waiting for the daemon's verdict.
  private static let verdictPatience = Duration.seconds(15)
  /// How long the pages stay up once the attempt is over. A browser follows a redirect at once, and the next sign-in
  /// needs the port.
  private static let pagePatience = Duration.seconds(3)
  /// How long an idle connection is waited for once every page has been fetched.
  private static let closePatience = Duration.seconds(1)

  /// A browser that waits, and what it said.
  private struct Hit {
    let exchange: HTTPExchange
    let query: SecretBox
  }

  private let gate: CallbackGate
  private let peers: PeerTable
  private let channel: DaemonChannel
  private let deadline: Duration
  private var wait = CallbackWait()
  private var hits: [Int: Hit] = [:]
  private var nextHit = 0
  private var askedAt: Duration?
  private var daemonIsThere = true
  /// Redirects whose page has not been fetched yet.
  private var pagesDue = 0
  private var leaveAt: Duration?
  /// What the wait decided during a callback of the server, done when it has returned.
  private var answers: [CallbackWait.Answers] = []

  /// `deadline` counts from now.
  init(_ gate: CallbackGate, _ peers: PeerTable, _ channel: DaemonChannel, deadline: Duration) {
    self.gate = gate
    self.peers = peers
    self.channel = channel
    self.deadline = BootTime.now + deadline
  }

  func run(_ server: HTTPServer) {
    while !isDone(server) {
      var watched = (server.descriptors + (daemonIsThere ? [channel.descriptor] : []))
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&watched, nfds_t(watched.count), BootTime.pollTimeout(patience(server)))
      server.run()
      if daemonIsThere { listenToDaemon() }
      keepTime()
      while !answers.isEmpty {
        carryOut(answers.removeFirst())
        server.run()
      }
    }
  }

  /// Nothing is read of what other users send, and none of them can fill the places for connections.
  func admits(_ peer: LoopbackEndpoint, connectedTo local: LoopbackEndpoint) -> Bool {
    peers.owner(of: peer, connectedTo: local) == gate.uid
  }

  func handle(_ request: HTTPRequest, on exchange: HTTPExchange) -> HTTPOutcome {
    var owner: UInt32?
    if let peer = request.peer, let local = request.local { owner = peers.owner(of: peer, connectedTo: local) }
    switch gate.decide(request, owner: owner) {
    case .refuse(let status): return .respond(PageResponse.refusal(status))
    case .page(let page):
      pagesDue = max(0, pagesDue - 1)
      return .respond(
        PageResponse.page(page.shown(after: wait.ending), languages: request.values(of: "accept-language")))
    case .hit(let query):
      keepTime()
      let hit = nextHit
      nextHit += 1
      hits[hit] = Hit(exchange: exchange, query: query)
      answers.append(wait.arrived(hit))
      return .wait
    }
  }

  private func isDone(_ server: HTTPServer) -> Bool {
    guard wait.ending != nil, let leaveAt else { return false }
    return BootTime.now >= leaveAt || (pagesDue <= 0 && server.connections == 0)
  }

  private func patience(_ server: HTTPServer) -> Duration {
    let now = BootTime.now
    var least = server.timeout ?? .seconds(3600)
    for due in [leaveAt, askedAt.map { $0 + Self.verdictPatience }, wait.ending == nil ? deadline : nil] {
      if let due { least = min(least, max(due - now, .zero)) }
    }
    return least
  }

  private func listenToDaemon() {
    while true {
      switch channel.receiveVerdict() {
      case .nothing: return
      case .verdict(let verdict):
        askedAt = nil
        answers.append(wait.decided(verdict))
      case .ended:
        daemonIsThere = false
        answers.append(wait.ended())
        return
      }
    }
  }

  private func keepTime() {
    let now = BootTime.now
    if let asked = askedAt, now >= asked + Self.verdictPatience {
      askedAt = nil
      answers.append(wait.verdictIsLate())
    }
    if now >= deadline, wait.ending == nil, askedAt == nil { answers.append(wait.ended()) }
    guard wait.ending != nil else { return }
    let limit = leaveAt ?? now + Self.pagePatience
    leaveAt = pagesDue <= 0 && hits.isEmpty && answers.isEmpty ? min(limit, now + Self.closePatience) : limit
  }

  private func carryOut(_ answers: CallbackWait.Answers) {
    for (number, page) in answers.pages {
      pagesDue += 1
      hits.removeValue(forKey: number)?.exchange.finish(.respond(PageResponse.redirect(to: page, under: gate.path)))
    }
    guard let number = answers.ask, let hit = hits[number] else { return }
    if channel.send(.query(hit.query)) {
      askedAt = BootTime.now
    } else {
      daemonIsThere = false
      self.answers.append(wait.ended())
    }
  }
}
