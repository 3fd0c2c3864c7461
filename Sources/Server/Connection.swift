import CLinux
import EventLoop
import Glibc
import Secrets
import Wire

/// One connection's socket and buffers. It belongs to the server and is touched on the loop only.
final class Connection {
  let id: UInt64
  let peer: Peer
  let descriptor: Int32
  var conversation: Conversation
  var inbox: Inbox
  var unsent = WipedBuffer()
  var registration: Registration?
  var task: RunningTask?
  /// When the frame that is being received has to be whole.
  var frameTimer: LoopTimer?
  /// When what is unsent has to be read.
  var answerTimer: LoopTimer?
  /// Whether it has its place among those that have more calls than one turn answers. Nothing is read meanwhile.
  var isInBacklog = false
  /// A stream that waits until the caller has read.
  var drained: CheckedContinuation<Bool, Never>?

  /// The task of the call that runs.
  struct RunningTask {
    let task: Task<Void, Never>
    let deadline: LoopTimer?
    /// A call that nobody waits for goes on when its caller goes.
    let survivesCaller: Bool
  }

  init(_ id: UInt64, _ descriptor: Int32, _ peer: Peer, _ limits: ServerLimits) {
    self.id = id
    self.descriptor = descriptor
    self.peer = peer
    conversation = Conversation(limit: limits.queuedCalls, byteLimit: limits.queuedBytes)
    inbox = Inbox(limit: limits.frame)
  }

  deinit { close(descriptor) }

  /// Whether a call may be here that is not begun.
  var mayHoldCalls: Bool { conversation.hasEntries || !inbox.isEmpty }

  /// Whether more bytes may be read now.
  var wantsInput: Bool { conversation.wantsInput && !isInBacklog }

  /// Sends what the socket takes. False when nobody will ever read it.
  func flush() -> Bool {
    while !unsent.isEmpty {
      let socket = descriptor
      let count = unsafe unsent.withUnsafeBytes { bytes in
        unsafe clinux_send(socket, bytes.baseAddress, bytes.count)
      }
      guard count >= 0 else { return errno == EAGAIN }
      unsent.consume(count)
    }
    return true
  }
}
