import JSON
import Secrets
import Wire

/// A handler whose types are forgotten: it reads parameters from a call and writes answers as frames.
struct RegisteredMethod: Sendable {
  /// How a call goes on, once its answer is bytes.
  enum Begun: Sendable {
    /// The answer is in the buffer.
    case answered
    /// The work still to do; it returns the last answer.
    case running(isStream: Bool, @Sendable (ReplySink) async -> WipedBuffer)
  }

  let worksWhileLocked: Bool
  /// Begins the call; an answer that is ready is appended to the buffer.
  let begin: @Sendable (Call, Caller, inout WipedBuffer) -> Begun

  init<Handler: MethodHandler>(_ handler: Handler) {
    worksWhileLocked = handler.worksWhileLocked
    begin = { call, caller, buffer in Self.begin(handler, call, caller, &buffer) }
  }

  private static func begin<Handler: MethodHandler>(
    _ handler: Handler, _ call: Call, _ caller: Caller, _ buffer: inout WipedBuffer
  ) -> Begun {
    if Handler.Method.streams && call.mode != .more {
      buffer.appendError(.service(.expectedMore))
      return .answered
    }
    let parameters: Handler.Method.Parameters
    do {
      parameters = try Handler.Method.Parameters(strict: call.parameters)
    } catch {
      buffer.appendError(ErrorReply(error))
      return .answered
    }
    switch handler.handle(parameters, caller) {
    case .now(let reply):
      buffer.appendReply(reply)
      return .answered
    case .refused(let error):
      buffer.appendError(error)
      return .answered
    case .later(let work):
      return .running(isStream: false) { _ in await frame { () async throws(ErrorReply) in try await work() } }
    case .stream(let work):
      return .running(isStream: true) { sink in
        await frame { () async throws(ErrorReply) in try await work(ReplyStream(sink: sink)) }
      }
    }
  }

  /// The last answer of a call, as bytes.
  private static func frame(_ work: () async throws(ErrorReply) -> some WireStruct) async -> WipedBuffer {
    var buffer = WipedBuffer()
    do {
      buffer.appendReply(try await work())
    } catch {
      buffer.appendError(error)
    }
    return buffer
  }
}
