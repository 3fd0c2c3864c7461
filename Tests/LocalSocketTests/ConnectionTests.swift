import CLinux
import Glibc
import LocalSocket
import Secrets
import Testing

@Suite struct ConnectionTests {
  @Test func `no socket and no listener are told apart, and both mean that no daemon runs`() throws {
    let place = try Place()
    let absent = #expect(throws: LocalSocketError.self) { try place.connect() }
    #expect(absent == .absent)
    #expect(absent?.isNotRunning == true)
    do { _ = try place.bind() }
    let refused = #expect(throws: LocalSocketError.self) { try place.connect() }
    #expect(refused == .refused)
    #expect(refused?.isNotRunning == true)
  }

  @Test func `a server of another user is refused`() throws {
    let place = try Place()
    let listener = try place.bind()
    #expect(throws: LocalSocketError.foreignServer(user: getuid())) {
      _ = try LocalConnection(to: place.path, user: getuid() + 1, by: Deadline(in: .seconds(5)))
    }
    withExtendedLifetime(listener) {}
  }

  @Test func `a message is sent and wiped`() throws {
    let pair = try Pair()
    let left = try pair.send("{}\0")
    #expect(left == 0)
    #expect(pair.readFar() == "{}\0")
  }

  @Test func `messages that come together are told apart`() throws {
    let pair = try Pair()
    pair.writeFar("one\0two\0th")
    #expect(try pair.receive() == "one")
    #expect(try pair.receive() == "two")
    pair.writeFar("ree\0")
    #expect(try pair.receive() == "three")
  }

  @Test func `a message that does not come is given up at the deadline, and what came is kept`() throws {
    let pair = try Pair()
    pair.writeFar("ha")
    #expect(throws: LocalSocketError.timedOut) { try pair.receive(by: Deadline(in: .milliseconds(1))) }
    pair.writeFar("lf\0")
    #expect(try pair.receive() == "half")
  }

  @Test func `an end before a whole message is an error`() throws {
    let pair = try Pair()
    pair.writeFar("half")
    pair.closeFar()
    #expect(throws: LocalSocketError.closed) { try pair.receive() }
  }

  @Test func `sending to who has gone is an error and no signal`() throws {
    let pair = try Pair()
    pair.closeFar()
    #expect(throws: LocalSocketError.closed) { try pair.send("{}\0") }
  }

  @Test func `sending to who does not read is given up at the deadline`() throws {
    let pair = try Pair()
    let long = String(repeating: "x", count: 4 << 20)
    #expect(throws: LocalSocketError.timedOut) { try pair.send(long, by: Deadline(in: .milliseconds(1))) }
  }

  @Test func `an endless message is refused at the limit`() throws {
    let pair = try Pair()
    let far = dup(pair.far)
    Task.detached {
      let chunk = [UInt8](repeating: 0x78, count: 65536)
      // Ends with EPIPE when the reader has given up and gone.
      while unsafe chunk.withUnsafeBytes({ unsafe send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {}
      close(far)
    }
    #expect(throws: LocalSocketError.frameTooLong) { try pair.receive() }
  }

  static let soon = Deadline(in: .seconds(5))
}

/// Two connected sockets: a connection at the near end, plain calls at the far end.
final class Pair {
  struct Failed: Error {}

  private var near: LocalConnection
  private(set) var far: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
      throw Failed()
    }
    near = LocalConnection(adopting: ends[0])
    far = ends[1]
  }

  deinit { if far >= 0 { close(far) } }

  func closeFar() {
    close(far)
    far = -1
  }

  func writeFar(_ text: String) { _ = unsafe write(far, text, text.utf8.count) }

  func readFar() -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(far, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Returns how many bytes the message still holds afterwards.
  @discardableResult func send(_ text: String, by deadline: Deadline = ConnectionTests.soon) throws -> Int {
    var message = WipedBuffer()
    message.append(text)
    try near.send(&message, by: deadline)
    return message.count
  }

  func receive(by deadline: Deadline = ConnectionTests.soon) throws -> String {
    let message = try near.receive(atMost: 1 << 20, by: deadline)
    return unsafe message.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
