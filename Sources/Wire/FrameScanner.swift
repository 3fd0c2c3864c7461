package import Secrets

/// Finds the messages in a stream: each is JSON ended by one NUL. It never looks at a byte twice.
package struct FrameScanner: Equatable, Sendable {
  package enum Found: Equatable, Sendable {
    /// No NUL yet.
    case nothing
    /// The first so many bytes are a message; the NUL follows. Consume one byte more than it has.
    case frame(Int)
    /// More bytes than a message may have, and no NUL. Nothing good follows: close.
    case tooLarge
  }

  /// The most bytes of one message, without its NUL.
  package let limit: Int
  private var scanned = 0

  package init(limit: Int) { self.limit = limit }

  /// Looks at what `buffer` holds. After a frame, consume it before asking again.
  package mutating func next(in buffer: borrowing WipedBuffer) -> Found {
    if let end = buffer.firstOffset(of: 0, from: scanned) {
      scanned = 0
      return end > limit ? .tooLarge : .frame(end)
    }
    scanned = buffer.count
    return scanned > limit ? .tooLarge : .nothing
  }
}
