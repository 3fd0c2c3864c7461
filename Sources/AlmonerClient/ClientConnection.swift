import JSON
import LocalSocket
import Secrets
import Wire

/// One connection with one call on it.
struct ClientConnection: ~Copyable {
  private var socket: LocalConnection

  init(_ socket: consuming LocalConnection) { self.socket = socket }

  mutating func send<M: VarlinkMethod>(
    _ method: M.Type, _ parameters: M.Parameters, mode: Call.Mode, by deadline: Deadline
  ) throws(AlmonerClientError) {
    var message = WipedBuffer()
    message.appendCall(method, parameters, mode: mode)
    do {
      try socket.send(&message, by: deadline)
    } catch {
      throw AlmonerClientError(error)
    }
  }

  /// The next reply to the call that was sent.
  mutating func receive<M: VarlinkMethod>(
    _ method: M.Type, by deadline: Deadline
  ) throws(AlmonerClientError) -> M.Reply {
    switch try message(by: deadline) {
    case .error(let error): throw .refused(Refusal(error))
    case .result(let parameters, continues: _):
      do {
        return try M.Reply(members: parameters)
      } catch {
        throw .unintelligible("\(error)")
      }
    }
  }

  private mutating func message(by deadline: Deadline) throws(AlmonerClientError) -> ReplyMessage {
    let frame: WipedBuffer
    do {
      frame = try socket.receive(atMost: Wire.maximumReply, by: deadline)
    } catch {
      throw AlmonerClientError(error)
    }
    do {
      return try ReplyMessage(frame.bytes)
    } catch {
      switch error {
      case .malformed(let error): throw .unintelligible("\(error)")
      case .invalid(let error): throw .unintelligible("\(error)")
      }
    }
  }
}
