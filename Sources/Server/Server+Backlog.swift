import EventLoop

// Fairness: whoever sends many calls at once is answered a few at a time, after those who are ready now.
extension Server {
  /// Gives a connection its place behind the others.
  func putOff(_ connection: Connection) {
    guard !connection.isInBacklog else { return }
    connection.isInBacklog = true
    backlog.append(connection.id)
    scheduleBacklog()
  }

  private func scheduleBacklog() {
    guard !backlog.isScheduled && !backlog.isEmpty else { return }
    backlog.isScheduled = true
    loop.putOff { [weak self] in self?.assumeIsolated { $0.serveBacklog() } }
  }

  /// Serves who has waited longest, until a turn's worth of calls was begun. Who still has more goes to the end.
  private func serveBacklog() {
    backlog.isScheduled = false
    var left = limits.backlogPerTurn
    while left > 0, let id = backlog.take() {
      guard let connection = connections[id] else { continue }
      connection.isInBacklog = false
      left -= max(1, pump(connection))
    }
    scheduleBacklog()
  }
}
