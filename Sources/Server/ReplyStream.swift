import Secrets
package import Wire

/// Where a streaming method puts all its answers but the last.
package struct ReplyStream<Reply: WireStruct>: Sendable {
  let sink: ReplySink

  /// Sends one answer. Waits while the caller does not read; throws when it has gone away.
  package func send(_ reply: Reply) async throws(CancellationError) {
    var frame = WipedBuffer()
    frame.appendReply(reply, continues: true)
    try await sink.send(frame)
  }
}

/// Where the answers of one running call go.
struct ReplySink: Sendable {
  let server: Server
  let connection: UInt64
  let call: UInt64

  func send(_ frame: consuming WipedBuffer) async throws(CancellationError) {
    try await server.deliver(frame, on: connection, of: call)
  }
}
