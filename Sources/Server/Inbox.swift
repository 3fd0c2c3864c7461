import CLinux
import Glibc
import Secrets
import Wire

/// What came over one connection and is not understood yet.
struct Inbox: ~Copyable {
  /// What reading brought.
  enum Arrival {
    case bytes
    case nothing
    /// The caller will send no more.
    case end
    /// The connection is no use any more: reset, or descriptors came along.
    case broken
  }

  private var bytes = WipedBuffer()
  private var scanner: FrameScanner

  init(limit: Int) { scanner = FrameScanner(limit: limit) }

  var isEmpty: Bool { bytes.isEmpty }

  /// Reads once, at most `most` bytes, never holding more than a whole frame and its NUL.
  mutating func read(_ socket: Int32, atMost most: Int) -> Arrival {
    let room = min(most, scanner.limit + 1 - bytes.count)
    guard room > 0 else { return .nothing }
    var refused: Int32 = 0
    let count = unsafe bytes.append(room: room) { bytes in
      unsafe clinux_receive(socket, bytes.baseAddress, bytes.count, &refused)
    }
    if refused != 0 { return .broken }
    if count > 0 { return .bytes }
    if count == 0 { return .end }
    return errno == EAGAIN ? .nothing : .broken
  }

  /// Takes the next whole frame: as what it turns out to be, or unread.
  mutating func take(unread: Bool) -> Conversation.Entry? {
    switch scanner.next(in: bytes) {
    case .nothing:
      return nil
    case .tooLarge:
      bytes.removeAll()
      return .refusal(.almoner(.badRequest(field: "", message: "The message is too large.", help: "")), isLast: true)
    case .frame(let count):
      defer { bytes.consume(count + 1) }
      let frame = bytes.bytes.extracting(first: count)
      return unread ? .frame(Frame(frame)) : Conversation.Entry(reading: frame)
    }
  }

  /// Drops what is there.
  mutating func clear() { bytes.removeAll() }

  /// Takes over storage, if it holds nothing itself.
  mutating func borrow(_ spare: inout WipedBuffer) {
    if bytes.isEmpty { swap(&bytes, &spare) }
  }

  /// Gives its storage away, if it holds nothing.
  mutating func lend(_ spare: inout WipedBuffer) {
    guard bytes.isEmpty else { return }
    swap(&bytes, &spare)
    bytes = WipedBuffer()
  }
}
