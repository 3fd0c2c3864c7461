import CLinux
import EventLoop
import Glibc
import Synchronization

/// A server on 127.0.0.1 that reads one request a connection and leaves the answer to the test.
final class TestServer: Sendable {
  let port: UInt16
  /// Settled by the first request that came whole.
  let arrived = Latch<String>()
  private let listener: Int32
  private let connections = Atomic<Int>(0)
  private let answer: @Sendable (Int32) -> Void

  /// `answer` runs on the server's thread with the connection, after the request; the connection is closed after it.
  init(_ answer: @escaping @Sendable (Int32) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard status, listen(listener, 16) == 0 else { throw SystemError("listen") }
    self.listener = listener
    self.answer = answer
    port = UInt16(bigEndian: address.sin_port)
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    _ = unsafe clinux_start_thread("test-server", 256 << 10, serve, argument)
  }

  /// A server that answers every request with these bytes.
  convenience init(answering text: String) throws { try self.init { say(text, $0) } }

  /// How many connections it accepted.
  var accepted: Int { connections.load(ordering: .acquiring) }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  fileprivate func run() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      connections.add(1, ordering: .acquiringAndReleasing)
      if let request = Self.read(connection) {
        arrived.settle(request)
        answer(connection)
      }
      // A program that another test started may hold a copy of the descriptor.
      shutdown(connection, Int32(SHUT_RDWR))
      close(connection)
    }
    close(listener)
  }

  /// The request with its body, or nil when the client closed before it was whole.
  private static func read(_ connection: Int32) -> String? {
    var text = ""
    var room = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe recv(connection, &room, room.count, 0)
      guard count > 0 else { return nil }
      text += String(decoding: room[..<count], as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
      let length = text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
        .flatMap { Int($0.dropFirst(16)) }
      if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
    }
  }
}

/// Sends the whole text.
func say(_ text: String, _ connection: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let sent = unsafe rest.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent > 0 else { return }
    rest = rest.dropFirst(sent)
  }
}

private func serve(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  unsafe Unmanaged<TestServer>.fromOpaque(argument).takeRetainedValue().run()
}
