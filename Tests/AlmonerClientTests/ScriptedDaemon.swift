import Glibc
import LocalSocket
import Secrets
import Synchronization
import Wire

/// Stands where the daemon would: takes one connection after another, reads one call on each, and plays what was
/// written for it.
final class ScriptedDaemon: Sendable {
  /// What to do on one connection.
  struct Scene: Sendable {
    /// Bytes to send after the call was read.
    let bytes: [UInt8]
    /// Whether the connection stays open until the client leaves.
    let stays: Bool
  }

  let path: SocketPath
  private let listener: LocalListener
  private let directory: String
  private let scenes: Mutex<[Scene]>
  private let calls = Mutex<[Call]>([])

  /// Listens below a directory of its own. `scenes` are taken in order; a connection without a call takes none.
  init(_ scenes: [Scene]) throws {
    directory = "/tmp/almoner-client-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    path = try SocketPath(directory + "/almoner.sock", isExplicit: true)
    listener = try LocalListener.bind(path, user: geteuid())
    self.scenes = Mutex(scenes)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self)
    let failure = unsafe pthread_create(&thread, nil, serveScenes, context.toOpaque())
    precondition(failure == 0, "no thread for the test")
    pthread_detach(thread)
  }

  deinit {
    listener.retire()
    unsafe rmdir(directory)
  }

  /// The calls that came so far.
  var received: [Call] { calls.withLock { $0 } }

  /// Serves until every scene was played.
  func serve() {
    while scenes.withLock({ !$0.isEmpty }) {
      var wish = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wish, 1, 10_000) == 1 else { return }
      let descriptor = accept(listener.descriptor, nil, nil)
      if descriptor >= 0 { play(on: LocalConnection(adopting: descriptor)) }
    }
  }

  private func play(on socket: consuming LocalConnection) {
    do {
      let frame = try socket.receive(atMost: Wire.maximumFrame, by: Deadline(in: .seconds(10)))
      let call = try Call(frame.bytes)
      calls.withLock { $0.append(call) }
      let scene = scenes.withLock { $0.removeFirst() }
      var message = WipedBuffer()
      unsafe message.append(scene.bytes.span.bytes)
      try socket.send(&message, by: Deadline(in: .seconds(10)))
      if scene.stays { _ = try socket.receive(atMost: 1, by: Deadline(in: .seconds(10))) }
    } catch {
      // The client left, which is what ends a scene.
    }
  }
}

/// The thread's function: a file-scope function, since C calls it.
private func serveScenes(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  unsafe Unmanaged<ScriptedDaemon>.fromOpaque(context).takeRetainedValue().serve()
  return nil
}

extension ScriptedDaemon.Scene {
  /// Replies, and closes.
  static func replies(_ replies: [any WireStruct]) -> Self { Self(bytes: bytes(replies), stays: false) }

  /// Replies that continue, and stays open.
  static func streams(_ replies: [any WireStruct]) -> Self {
    Self(bytes: bytes(replies, continues: true), stays: true)
  }

  /// One reply that continues, then how it ends, and closes.
  static func streams(_ first: any WireStruct, _ end: Result<any WireStruct, ErrorReply>) -> Self {
    let last = taken { buffer in
      switch end {
      case .success(let reply): buffer.appendReply(reply, continues: false)
      case .failure(let error): buffer.appendError(error)
      }
    }
    return Self(bytes: bytes([first], continues: true) + last, stays: false)
  }

  /// An error, and closes.
  static func fails(_ error: ErrorReply) -> Self {
    Self(bytes: taken { $0.appendError(error) }, stays: false)
  }

  private static func bytes(_ replies: [any WireStruct], continues: Bool = false) -> [UInt8] {
    replies.flatMap { reply in taken { $0.appendReply(reply, continues: continues) } }
  }

  private static func taken(_ body: (inout WipedBuffer) -> Void) -> [UInt8] {
    var buffer = WipedBuffer()
    body(&buffer)
    return unsafe buffer.withUnsafeBytes { unsafe Array($0) }
  }
}
