import CLinux
import Glibc

/// A client that says whatever a test wants, and gives up reading after ten seconds so that no failure hangs.
final class RawClient: Sendable {
  struct Failed: Error {}

  let descriptor: Int32
  /// Lives as long as its client.
  private let server: (any Sendable & AnyObject)?

  init(_ descriptor: Int32, of server: (any Sendable & AnyObject)? = nil) {
    self.descriptor = descriptor
    self.server = server
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Two connected sockets; the second is for the server.
  static func pair(of server: (any Sendable & AnyObject)? = nil) throws -> (RawClient, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0, fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 else {
      throw Failed()
    }
    return (RawClient(ends[0], of: server), ends[1])
  }

  /// Sends the bytes of `text`; false when the other side is gone.
  @discardableResult func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Sends one byte with `count` copies of a descriptor.
  func send(descriptors count: Int, of descriptor: Int32) -> Bool {
    // struct cmsghdr (16 bytes), then the numbers.
    var control = [UInt8](repeating: 0, count: 16 + (4 * count + 7) / 8 * 8)
    unsafe control.withUnsafeMutableBytes { room in
      unsafe room.storeBytes(of: UInt64(16 + 4 * count), toByteOffset: 0, as: UInt64.self)
      unsafe room.storeBytes(of: Int32(SOL_SOCKET), toByteOffset: 8, as: Int32.self)
      unsafe room.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
      for index in 0..<count {
        unsafe room.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: Int32.self)
      }
    }
    var byte = UInt8(ascii: "{")
    return unsafe withUnsafeMutablePointer(to: &byte) { byte in
      var part = unsafe iovec(iov_base: byte, iov_len: 1)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        unsafe control.withUnsafeMutableBytes { control in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = control.count
          return unsafe sendmsg(self.descriptor, &message, Int32(MSG_NOSIGNAL)) == 1
        }
      }
    }
  }

  /// The next answer without its NUL; nil at the end of the stream, after a reset, or when nothing comes.
  func receive() -> String? {
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe recv(descriptor, &byte, 1, 0) == 1 {
      if byte == 0 { return String(decoding: answer, as: UTF8.self) }
      answer.append(byte)
    }
    return nil
  }

  /// How many answers have come and are not read; takes them.
  func answersThere() -> Int {
    var count = 0
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let read = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), read > 0 {
      count += bytes[..<read].count { $0 == 0 }
    }
    return count
  }

  /// Whether the other side ended or reset the connection, and did not just stay silent.
  func isClosed() -> Bool {
    var byte: UInt8 = 0
    let count = unsafe recv(descriptor, &byte, 1, 0)
    return count == 0 || (count < 0 && errno == ECONNRESET)
  }

  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a call and returns the answer.
  func call(_ method: String, _ parameters: String = "{}", more: Bool = false) -> String? {
    send(Self.frame(method, parameters, more ? #","more":true"# : ""))
    return receive()
  }

  static func frame(_ method: String, _ parameters: String = "{}", _ extra: String = "") -> String {
    #"{"method":"org.almoner.Almoner.\#(method)","parameters":\#(parameters)\#(extra)}"# + "\0"
  }
}
