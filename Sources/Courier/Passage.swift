import Exchange
import Journal

/// What becomes of a courier after "go", from what it says and where it falls silent.
struct Passage {
  enum Outcome: Sendable {
    case landed
    case answer(HTTPAnswer)
    case notSent(String)
    case unknown(String)
  }

  private enum State {
    /// It may still be stopped.
    case aboard
    case departed
    /// It was killed aboard: only its last words can say whether it had departed.
    case killed(String)
  }

  private var state = State.aboard
  private let isJournaled: Bool

  init(isJournaled: Bool) { self.isJournaled = isJournaled }

  enum MessageAction {
    case wait
    case end(Outcome)
  }

  mutating func heard(_ message: FromCourier) -> MessageAction {
    switch message {
    case .departed:
      state = .departed
      return .wait
    case .landed: return .end(isJournaled ? .landed : unknown("it spoke of a journal"))
    case .answer(let answer): return .end(.answer(answer))
    case .notSent(let why): return .end(isAboard ? .notSent(why) : unknown(why))
    case .unknown(let why): return .end(.unknown(why))
    case .ready, .connected: return .wait
    }
  }

  enum SilenceAction {
    case end(Outcome)
    /// Kill it, and go on listening until it is gone.
    case kill
    /// Kill it; what it did is known well enough.
    case killAndEnd(Outcome)
  }

  mutating func fellSilent(_ silence: CourierProcess.Silence) -> SilenceAction {
    switch (state, silence) {
    case (.aboard, .gone): return .end(.notSent("the courier ended before it sent anything"))
    case (.killed(let why), .gone): return .end(.notSent(why))
    case (.aboard, .late), (.aboard, .nonsense):
      state = .killed(silence.text)
      return .kill
    case (.killed(let why), .late), (.killed(let why), .nonsense): return .end(.unknown(why))
    case (.departed, .gone): return .end(.unknown("the courier ended on the way"))
    case (.departed, .late), (.departed, .nonsense):
      // A departed courier with a journal is left alone: it may still land.
      return isJournaled ? .end(.unknown(silence.text)) : .killAndEnd(.unknown(silence.text))
    }
  }

  private var isAboard: Bool {
    switch state {
    case .aboard, .killed: true
    case .departed: false
    }
  }

  private func unknown(_ why: String) -> Outcome { .unknown(why) }
}

extension CourierProcess.Silence {
  var text: String {
    switch self {
    case .gone: "the courier is gone"
    case .late: "the courier did not answer in time"
    case .nonsense: "the courier said what none of ours says"
    }
  }
}
