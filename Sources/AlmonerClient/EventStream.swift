import LocalSocket
import Wire

/// The events of one account, or of all, as they happen: reading it blocks. Letting go of it ends it.
///
///     var events = try client.events()
///     while true {
///       let event = try events.next()
///       …
///     }
public struct EventStream: ~Copyable {
  private var connection: ClientConnection

  /// Asks for events. After it returns none is missed.
  init(
    _ connection: consuming ClientConnection, account: String?, by deadline: Deadline
  ) throws(AlmonerClientError) {
    self.connection = connection
    try self.connection.send(Wire.Monitor.self, Wire.Monitor.Parameters(account: account), mode: .more, by: deadline)
    let first = try self.connection.receive(Wire.Monitor.self, by: deadline)
    guard first.event == .watching else { throw .unintelligible("the first event is not \"watching\"") }
  }

  /// Waits for the next event, however long.
  ///
  /// Throws when the daemon stops (``Refusal/Reason/temporary(retryAfter:)``) or is gone
  /// (``AlmonerClientError/disconnected``). Then ask for events anew, and for a token: something may have been missed.
  public mutating func next() throws(AlmonerClientError) -> AlmonerEvent {
    AlmonerEvent(try connection.receive(Wire.Monitor.self, by: .never))
  }

  /// Waits for the next event, at most for `duration`; nil when none came. The stream stays good.
  public mutating func next(within duration: Duration) throws(AlmonerClientError) -> AlmonerEvent? {
    do {
      return AlmonerEvent(try connection.receive(Wire.Monitor.self, by: Deadline(in: duration)))
    } catch .timedOut {
      return nil
    }
  }
}
