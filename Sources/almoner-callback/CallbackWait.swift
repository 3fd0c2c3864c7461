import Exchange

/// The wait for a browser as a state machine: who asks the daemon, who waits for whom, and when it is over.
///
/// Hits are numbered by their owner. They go to the daemon one at a time: after a wrong state the next one may still
/// be the right one, and after the right one all others get the neutral page.
struct CallbackWait {
  /// The most hits that wait for another's verdict.
  static let maximumQueue = 8

  private enum State {
    case idle
    /// `hit` is with the daemon; nil when its browser has been answered meanwhile.
    case asking(hit: Int?, queue: [Int])
    case over(Page)
  }

  /// What to send to which hit, and whom to ask about next.
  struct Answers: Equatable {
    var pages: [(hit: Int, page: Page)] = []
    var ask: Int?

    static func == (left: Self, right: Self) -> Bool {
      left.ask == right.ask && left.pages.map(\.hit) == right.pages.map(\.hit)
        && left.pages.map(\.page) == right.pages.map(\.page)
    }
  }

  private var state = State.idle

  /// The page that the attempt ended with, once it has.
  var ending: Page? {
    if case .over(let page) = state { return page }
    return nil
  }

  /// A browser came back.
  mutating func arrived(_ hit: Int) -> Answers {
    switch state {
    case .idle:
      state = .asking(hit: hit, queue: [])
      return Answers(ask: hit)
    case .asking(let asked, let queue):
      guard queue.count < Self.maximumQueue else { return Answers(pages: [(hit, .closed)]) }
      state = .asking(hit: asked, queue: queue + [hit])
      return Answers()
    case .over: return Answers(pages: [(hit, .closed)])
    }
  }

  /// The daemon's word on the hit that it was asked about.
  mutating func decided(_ verdict: CallbackFrame.Verdict) -> Answers {
    guard case .asking(let hit, var queue) = state else { return Answers() }
    let page = Page(verdict)
    var answers = Answers(pages: hit.map { [($0, page)] } ?? [])
    guard verdict == .rejected else {
      state = .over(page)
      answers.pages += queue.map { ($0, .closed) }
      return answers
    }
    if queue.isEmpty {
      state = .idle
    } else {
      let next = queue.removeFirst()
      state = .asking(hit: next, queue: queue)
      answers.ask = next
    }
    return answers
  }

  /// The daemon takes too long: the browser is let go, the verdict is still waited for.
  mutating func verdictIsLate() -> Answers {
    guard case .asking(let hit?, let queue) = state else { return Answers() }
    state = .asking(hit: nil, queue: queue)
    return Answers(pages: [(hit, .closed)])
  }

  /// The daemon is gone, or the time is up.
  mutating func ended() -> Answers {
    switch state {
    case .idle:
      state = .over(.again)
      return Answers()
    case .asking(let hit, let queue):
      state = .over(.again)
      return Answers(pages: ((hit.map { [$0] } ?? []) + queue).map { ($0, .again) })
    case .over: return Answers()
    }
  }
}
