import CLinux
import Glibc
package import Secrets

/// A client's connection to the daemon: varlink messages out and in, each call with a deadline.
///
/// It never raises SIGPIPE. What it read or sent is wiped.
package struct LocalConnection: ~Copyable {
  /// For `poll` beside other descriptors; it is non-blocking and stays owned by the connection.
  package let descriptor: Int32
  /// Bytes that came behind the last whole message.
  private var received = WipedBuffer()

  /// Whether a whole message is here already, so that `poll` may wait in vain.
  package var holdsMessage: Bool { received.firstOffset(of: 0) != nil }

  /// Connects and makes sure that who listens is `user`.
  ///
  /// Throws ``LocalSocketError``: `absent` and `refused` mean that no daemon runs.
  package init(to path: SocketPath, user: UInt32, by deadline: Deadline) throws(LocalSocketError) {
    let descriptor = clinux_socket()
    guard descriptor >= 0 else { throw .from("socket") }
    do throws(LocalSocketError) {
      guard unsafe clinux_connect(descriptor, path.text, deadline.remaining) == 0 else {
        throw .from("connect")
      }
      let server = try Self.peer(of: descriptor)
      guard server == user else { throw .foreignServer(user: server) }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Takes over a connected stream socket, for a program that was started with one.
  package init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Sends messages that end with their NULs, wiping them. Throws `timedOut` or `closed`; the connection is spent then.
  package func send(_ message: inout WipedBuffer, by deadline: Deadline) throws(LocalSocketError) {
    defer { message.removeAll() }
    while !message.isEmpty {
      let sent = unsafe message.withUnsafeBytes { bytes in
        unsafe clinux_send(descriptor, bytes.baseAddress, bytes.count)
      }
      if sent >= 0 {
        message.consume(sent)
      } else if errno == EAGAIN {
        try wait(toWrite: true, deadline)
      } else {
        throw .from("send")
      }
    }
  }

  /// The next message, without its NUL, of at most `limit` bytes.
  ///
  /// Throws `timedOut` (what has come so far is kept), `closed`, `frameTooLong` or `unexpectedDescriptors`.
  package mutating func receive(atMost limit: Int, by deadline: Deadline) throws(LocalSocketError) -> WipedBuffer {
    var searched = 0
    while true {
      if let end = received.firstOffset(of: 0, from: searched) {
        guard end <= limit else { throw .frameTooLong }
        return take(end)
      }
      searched = received.count
      guard searched <= limit else { throw .frameTooLong }
      try readMore(deadline)
    }
  }

  private mutating func take(_ count: Int) -> WipedBuffer {
    var message = WipedBuffer(capacity: count)
    unsafe received.withUnsafeBytes { bytes in
      unsafe message.append(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count])))
    }
    received.consume(count + 1)
    return message
  }

  private mutating func readMore(_ deadline: Deadline) throws(LocalSocketError) {
    let socket = descriptor
    var refused: Int32 = 0
    while true {
      let count = unsafe received.append(room: 4096) { room in
        unsafe clinux_receive(socket, room.baseAddress, room.count, &refused)
      }
      if refused != 0 { throw .unexpectedDescriptors }
      if count > 0 { return }
      if count == 0 { throw .closed }
      guard errno == EAGAIN else { throw .from("recv") }
      try wait(toWrite: false, deadline)
    }
  }

  private func wait(toWrite: Bool, _ deadline: Deadline) throws(LocalSocketError) {
    switch clinux_wait(descriptor, toWrite ? 1 : 0, deadline.nanoseconds) {
    case 0: throw .timedOut
    case 1: return
    case let failure:
      precondition(failure == -1)
      throw .from("poll")
    }
  }

  private static func peer(of descriptor: Int32) throws(LocalSocketError) -> UInt32 {
    var process: pid_t = 0
    var user: uid_t = 0
    guard unsafe clinux_peer(descriptor, &process, &user) == 0 else { throw .from("getsockopt") }
    return user
  }
}
