package import Wire

/// What one method of an interface does. A new one is a file in `Handlers` and a line in the registry array.
package protocol MethodHandler: Sendable {
  associatedtype Method: VarlinkMethod

  /// Whether it works while the daemon is locked. The gate stands before parameters are even read.
  var worksWhileLocked: Bool { get }

  /// Begins a call, on the loop: it must not block. What is ready is answered at once, without a task.
  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply>
}

extension MethodHandler {
  package var worksWhileLocked: Bool { false }
}

/// How a call goes on.
package enum Outcome<Reply: WireStruct>: Sendable {
  case now(Reply)
  case refused(ErrorReply)
  /// A task on the loop; it is cancelled when the caller goes away.
  case later(@Sendable () async throws(ErrorReply) -> Reply)
  /// A task that answers more than once; what it returns is the last answer.
  case stream(@Sendable (ReplyStream<Reply>) async throws(ErrorReply) -> Reply)
}
