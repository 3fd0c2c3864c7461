package import LocalSocket
import Secrets
package import Wire

/// A connection on which one call is made after another.
package struct DaemonConnection: ~Copyable {
  private var connection: LocalConnection

  init(_ connection: consuming LocalConnection) { self.connection = connection }

  /// For waiting beside other descriptors.
  package var descriptor: Int32 { connection.descriptor }

  /// Whether a reply has been read already, so that nothing more may come to wait for.
  package var holdsReply: Bool { connection.holdsMessage }

  /// Calls a method that answers once, waiting at most `seconds` for the answer.
  package mutating func call<M: VarlinkMethod>(
    _ method: M.Type, _ parameters: M.Parameters, within seconds: Int = 30
  ) throws(Failure) -> M.Reply {
    try send(method, parameters, .one)
    return try receive(method, by: Deadline(in: .seconds(seconds))).reply
  }

  /// Calls a method that streams; the replies come by ``next(_:by:)``.
  package mutating func stream<M: VarlinkMethod>(_ method: M.Type, _ parameters: M.Parameters) throws(Failure) {
    try send(method, parameters, .more)
  }

  /// The next reply of a stream, and whether it is the last.
  package mutating func next<M: VarlinkMethod>(
    _ method: M.Type, by deadline: Deadline
  ) throws(Failure) -> (reply: M.Reply, isLast: Bool) {
    let (reply, continues) = try receive(method, by: deadline)
    return (reply, !continues)
  }

  /// A request is small and the daemon reads at once.
  private mutating func send<M: VarlinkMethod>(
    _ method: M.Type, _ parameters: M.Parameters, _ mode: Call.Mode
  ) throws(Failure) {
    var message = WipedBuffer()
    message.appendCall(method, parameters, mode: mode)
    do { try connection.send(&message, by: Deadline(in: .seconds(5))) } catch { throw Failure(lost: error) }
  }

  private mutating func receive<M: VarlinkMethod>(
    _ method: M.Type, by deadline: Deadline
  ) throws(Failure) -> (reply: M.Reply, continues: Bool) {
    let frame: WipedBuffer
    do { frame = try connection.receive(atMost: Wire.maximumReply, by: deadline) } catch { throw Failure(lost: error) }
    let message: ReplyMessage
    do { message = try ReplyMessage(frame.bytes) } catch { throw Failure(error) }
    switch message {
    case .error(let error): throw Failure(error, calling: M.name)
    case .result(let members, let continues):
      do { return (try M.Reply(members: members), continues) } catch { throw Failure(.invalid(error)) }
    }
  }
}
