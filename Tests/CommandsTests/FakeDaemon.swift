import Commands
import Glibc
import JSON
import LocalSocket
import Secrets
import Synchronization
import Wire

/// A daemon whose answers are written down beforehand: what a connection will be told lies in its socket before the
/// command sends its call. Afterwards the calls can be read.
final class FakeDaemon: Sendable {
  private struct State {
    var scripts: [[[UInt8]]]
    var peers: [Int32] = []
  }

  private let state: Mutex<State>

  /// One script a connection, in the order in which they are opened; a script is the replies, each a whole frame.
  init(_ scripts: [[[UInt8]]]) { state = Mutex(State(scripts: scripts)) }

  deinit { state.withLock { for peer in $0.peers { close(peer) } } }

  /// Refuses when the scripts are used up.
  var door: DaemonDoor {
    DaemonDoor { [self] (_) throws(Failure) in
      guard let script = nextScript() else { throw Failure(.noDaemon, code: "no-daemon", "nobody listens") }
      let (ours, theirs) = Self.pair()
      for reply in script { _ = unsafe reply.withUnsafeBytes { unsafe write(theirs, $0.baseAddress, $0.count) } }
      // The calls can still be read; the command sees the end behind the last reply.
      shutdown(theirs, Int32(SHUT_WR))
      state.withLock { $0.peers.append(theirs) }
      return LocalConnection(adopting: ours)
    }
  }

  /// The calls of all connections so far.
  func calls() throws -> [Call] {
    let dontWait = Int32(MSG_DONTWAIT)
    return try state.withLock { $0.peers }.flatMap { peer in
      var buffer = WipedBuffer()
      while unsafe buffer.append(room: 4096, fill: { unsafe recv(peer, $0.baseAddress, $0.count, dontWait) }) > 0 {}
      var calls: [Call] = []
      while let end = buffer.firstOffset(of: 0) {
        calls.append(try Call(buffer.bytes.extracting(0..<end)))
        buffer.consume(end + 1)
      }
      return calls
    }
  }

  private func nextScript() -> [[UInt8]]? {
    state.withLock { $0.scripts.isEmpty ? nil : $0.scripts.removeFirst() }
  }

  private static func pair() -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    precondition(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }
}

/// A reply's frame.
func frame(_ reply: some WireStruct, continues: Bool = false) -> [UInt8] {
  var buffer = WipedBuffer()
  buffer.appendReply(reply, continues: continues)
  return bytes(of: buffer)
}

/// An error's frame.
func frame(_ error: AlmonerError) -> [UInt8] {
  var buffer = WipedBuffer()
  buffer.appendError(.almoner(error))
  return bytes(of: buffer)
}

private func bytes(of buffer: borrowing WipedBuffer) -> [UInt8] {
  unsafe buffer.withUnsafeBytes { unsafe [UInt8]($0) }
}
