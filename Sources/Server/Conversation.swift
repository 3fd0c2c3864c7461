import Wire

/// The calls of one connection: answered one after another in the order in which they came.
///
/// A value without I/O: it says which call is next and whether more may be read.
struct Conversation {
  /// A frame, or what it turned out to be.
  enum Entry {
    /// Not read before its turn.
    case frame(Frame)
    case call(Call)
    /// No call; answered in its turn. After a malformed one nothing that follows can be trusted.
    case refusal(ErrorReply, isLast: Bool)
  }

  private enum State {
    case idle
    /// The number of the call whose task runs.
    case running(UInt64)
    /// Nothing is begun any more; what is to be sent still is.
    case ended
  }

  /// How many entries may wait, and of how many bytes.
  private let limit: Int
  private let byteLimit: Int
  private var state = State.idle
  private var waiting: [Entry] = []
  private var waitingBytes = 0
  private var isInputOver = false
  private var lastNumber: UInt64 = 0

  init(limit: Int, byteLimit: Int) {
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// Whether the next entry is begun before anything else.
  var isFree: Bool {
    switch state {
    case .idle: waiting.isEmpty
    case .running, .ended: false
    }
  }

  /// Whether something waits for its turn.
  var hasEntries: Bool { !waiting.isEmpty }

  /// Whether another frame may become an entry now.
  var wantsEntries: Bool {
    switch state {
    case .idle, .running: waiting.count < limit && waitingBytes < byteLimit
    case .ended: false
    }
  }

  /// Whether more bytes may be read now.
  var wantsInput: Bool { wantsEntries && !isInputOver }

  /// Whether every call that came is answered and none will come.
  var isOver: Bool {
    switch state {
    case .idle: isInputOver && waiting.isEmpty
    case .running: false
    case .ended: true
    }
  }

  /// The call whose task runs.
  var runningCall: UInt64? {
    switch state {
    case .running(let number): number
    case .idle, .ended: nil
    }
  }

  mutating func add(_ entry: Entry) {
    waiting.append(entry)
    waitingBytes += entry.waitingBytes
  }

  /// The caller will send no more; what it sent is still answered.
  mutating func endInput() { isInputOver = true }

  /// Begins nothing more.
  mutating func end() {
    state = .ended
    waiting.removeAll()
    waitingBytes = 0
  }

  /// Takes the next entry, unless a call runs.
  mutating func next() -> Entry? {
    guard case .idle = state, !waiting.isEmpty else { return nil }
    let entry = waiting.removeFirst()
    waitingBytes -= entry.waitingBytes
    return entry
  }

  /// A call became a task; returns its number.
  mutating func beginRunning() -> UInt64 {
    lastNumber += 1
    state = .running(lastNumber)
    return lastNumber
  }

  /// The task of call `number` has answered. False when it is not the one that runs: a late answer is dropped.
  mutating func finish(_ number: UInt64) -> Bool {
    guard case .running(number) = state else { return false }
    state = .idle
    return true
  }
}
