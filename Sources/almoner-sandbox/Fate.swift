import HTTPServer

/// What happens to one answer on its way.
struct Fate: Equatable, Sendable {
  /// Which endpoint's answers it is for.
  enum Target: String, CaseIterable, Sendable {
    case token
    case session
    case stepUp = "step_up"
    case monitoring
  }

  /// How it ends.
  enum Ending: Equatable, Sendable {
    /// As it should.
    case answer
    /// The connection closes without an answer.
    case close
    /// The connection closes at once; the request is processed so much later.
    case late(Duration)
    /// Another answer comes instead of the right one.
    case replace(HTTPResponse)
    /// The right answer with half of its JSON.
    case truncate
    /// The right answer, so many bytes at a time.
    case slow(bytes: Int, pause: Duration)

    static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.answer, .answer), (.close, .close), (.truncate, .truncate): true
      case (.late(let a), .late(let b)): a == b
      case (.replace(let a), .replace(let b)): a.status == b.status && a.body == b.body
      case (.slow(let a, let b), .slow(let c, let d)): a == c && b == d
      case (.answer, _), (.close, _), (.truncate, _), (.late, _), (.replace, _), (.slow, _): false
      }
    }
  }

  var target = Target.token
  /// Waits before the request is processed.
  var delayBeforeCommit = Duration.zero
  /// Waits before the answer leaves.
  var delayBeforeAnswer = Duration.zero
  /// Whether the request is processed at all.
  var commits = true
  var ending = Ending.answer
}

/// The fates that wait for their requests, and the delays that every request meets.
struct FateQueue: Sendable {
  /// Fates that wait at most.
  static let maximum = 10_000

  private var waiting: [Fate] = []
  /// What happens when none waits; its delays are added to every fate's.
  var standing = Fate()

  var count: Int64 { Int64(waiting.count) }

  /// Appends; false, and nothing happens, when there would be too many.
  mutating func append(_ fates: [Fate]) -> Bool {
    guard waiting.count + fates.count <= Self.maximum else { return false }
    waiting += fates
    return true
  }

  mutating func clear() { waiting = [] }

  /// The next fate for this endpoint.
  mutating func next(_ target: Fate.Target) -> Fate {
    let place = waiting.firstIndex { $0.target == target }
    var fate = place.map { waiting.remove(at: $0) } ?? Fate(target: target)
    fate.delayBeforeCommit += standing.delayBeforeCommit
    fate.delayBeforeAnswer += standing.delayBeforeAnswer
    return fate
  }
}
