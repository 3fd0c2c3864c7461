import EventLoop
import Secrets
import Time
import Wire

// From frames to calls, from calls to answers.
extension Server {
  /// Goes on with a connection as far as it gets without waiting, and without others waiting for it: frames become
  /// calls, calls become answers, answers are sent.
  ///
  /// Returns how many calls were begun. Who has more than a turn's worth goes on after the others.
  @discardableResult func pump(_ connection: Connection) -> Int {
    var sawFrame = false
    var left = limits.answersPerTurn
    var isBusy = true
    while isBusy && left > 0 {
      while connection.conversation.wantsEntries, let entry = connection.inbox.take(unread: !canBegin(connection)) {
        sawFrame = true
        connection.conversation.add(entry)
      }
      let before = left
      answer(connection, atMost: &left)
      isBusy = left < before
      guard connection.flush() else {
        close(connection)
        return limits.answersPerTurn - left
      }
    }
    if left == 0 && connection.mayHoldCalls { putOff(connection) }
    settle(connection, sawFrame)
    return limits.answersPerTurn - left
  }

  /// Begins what waits until a call has to be waited for, the caller has to read first, or it is others' turn.
  private func answer(_ connection: Connection, atMost left: inout Int) {
    while left > 0, connection.unsent.count < limits.unsentBytes, let entry = connection.conversation.next() {
      left -= 1
      answer(entry, connection)
    }
  }

  /// Whether what comes next is begun at once.
  private func canBegin(_ connection: Connection) -> Bool {
    connection.conversation.isFree && connection.unsent.count < limits.unsentBytes
  }

  private func answer(_ entry: Conversation.Entry, _ connection: Connection) {
    switch entry {
    case .frame(let frame): answer(frame.read(), connection)
    case .call(let call): begin(call, connection)
    case .refusal(let error, let isLast):
      connection.unsent.appendError(error)
      if isLast {
        connection.inbox.clear()
        connection.conversation.end()
      }
    }
  }

  private func begin(_ call: Call, _ connection: Connection) {
    // A caller that wants no answer gets none, whatever happens.
    var unwanted = WipedBuffer()
    do {
      let method = try admitted(call)
      let caller = Caller(peer: connection.peer, loop: loop, mode: call.mode)
      let begun =
        switch call.mode {
        case .one, .more: method.begin(call, caller, &connection.unsent)
        case .none: method.begin(call, caller, &unwanted)
        }
      switch begun {
      case .answered: return
      case .running(let isStream, let work): run(work, isStream, call, connection)
      }
    } catch {
      if call.mode != .none { connection.unsent.appendError(error) }
    }
  }

  /// The gate: while locked only the methods that say so are begun.
  private func admitted(_ call: Call) throws(ErrorReply) -> RegisteredMethod {
    let method = try registry.find(call.method)
    if !method.worksWhileLocked && isLocked() {
      throw .almoner(.locked(account: nil, message: "Almoner is locked.", help: "almoner unlock"))
    }
    return method
  }

  private func run(
    _ work: @escaping @Sendable (ReplySink) async -> WipedBuffer, _ isStream: Bool, _ call: Call,
    _ connection: Connection
  ) {
    let id = connection.id
    let number = connection.conversation.beginRunning()
    let wantsAnswer = call.mode != .none
    let sink = ReplySink(server: self, connection: id, call: number)
    // With the preference: without it the first step would be taken by the global pool, on a thread of its own.
    let task = Task(executorPreference: loop) {
      let frame = await work(sink)
      await self.finish(frame, number, id, wantsAnswer)
    }
    let deadline =
      isStream
      ? nil
      : loop.schedule(at: loop.now + limits.call) { [weak self] in self?.assumeIsolated { $0.giveUp(number, id) } }
    connection.task = .init(task: task, deadline: deadline, survivesCaller: !wantsAnswer)
  }

  private func finish(_ frame: consuming WipedBuffer, _ number: UInt64, _ id: UInt64, _ wantsAnswer: Bool) {
    guard let connection = connections[id], connection.conversation.finish(number) else { return }
    connection.task?.deadline?.cancel()
    connection.task = nil
    if wantsAnswer { connection.unsent.append(frame.bytes) }
    pump(connection)
  }

  private func giveUp(_ number: UInt64, _ id: UInt64) {
    guard let connection = connections[id], connection.conversation.runningCall == number else { return }
    connection.task?.task.cancel()
    var frame = WipedBuffer()
    frame.appendError(
      .almoner(.temporary(account: nil, message: "The call took too long.", retryAfter: 5, help: "")))
    finish(frame, number, id, connection.task?.survivesCaller == false)
  }

  /// Sends an answer of a running stream, and returns when the caller has read enough of what waits.
  func deliver(
    _ frame: consuming WipedBuffer, on id: UInt64, of number: UInt64
  ) async throws(CancellationError) {
    guard let connection = connections[id], connection.conversation.runningCall == number else {
      throw CancellationError()
    }
    connection.unsent.append(frame.bytes)
    pump(connection)
    guard connections[id] != nil else { throw CancellationError() }
    if connection.unsent.count < limits.unsentBytes { return }
    // In one step: what waits may have been read, or the connection closed, by the time a call has come to its body.
    let isDrained = await withCheckedContinuation { continuation in
      if connections[id] == nil || connection.unsent.count < limits.unsentBytes {
        continuation.resume(returning: connections[id] != nil)
      } else {
        connection.drained = continuation
      }
    }
    guard isDrained else { throw CancellationError() }
  }
}

// What is left when a connection got no further.
extension Server {
  func settle(_ connection: Connection, _ sawFrame: Bool) {
    // Who is in the backlog may have whole calls in the inbox.
    let isOver = connection.conversation.isOver && !connection.isInBacklog
    if isOver && connection.unsent.isEmpty { return close(connection) }
    watchFrame(connection, sawFrame)
    watchAnswers(connection)
    connection.inbox.lend(&spare)
    connection.registration?.update(
      Interest(reading: connection.wantsInput, writing: !connection.unsent.isEmpty))
  }

  /// A frame that has begun has to end in time; while we do not read, its time stands still.
  private func watchFrame(_ connection: Connection, _ sawFrame: Bool) {
    let isUnfinished = !connection.inbox.isEmpty && connection.wantsInput
    if !isUnfinished || sawFrame {
      connection.frameTimer?.cancel()
      connection.frameTimer = nil
    }
    if isUnfinished && connection.frameTimer == nil {
      connection.frameTimer = closing(connection.id, after: limits.unfinishedFrame)
    }
  }

  private func watchAnswers(_ connection: Connection) {
    if connection.unsent.isEmpty {
      connection.answerTimer?.cancel()
      connection.answerTimer = nil
    } else if connection.answerTimer == nil {
      connection.answerTimer = closing(connection.id, after: limits.unreadAnswer)
    }
    if connection.unsent.count < limits.unsentBytes, let stream = connection.drained {
      connection.drained = nil
      stream.resume(returning: true)
    }
  }

  private func closing(_ id: UInt64, after limit: Duration) -> LoopTimer {
    loop.schedule(at: loop.now + limit) { [weak self] in
      self?.assumeIsolated { server in
        if let connection = server.connections[id] { server.close(connection) }
      }
    }
  }
}
