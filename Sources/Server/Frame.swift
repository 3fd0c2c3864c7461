import Secrets
import Wire

/// A whole frame that waits for its turn as it came.
///
/// What secrets it holds, perhaps thousands, would take room in the arena once it was read; so it is read only when it
/// is begun, and no number of callers who send more than they wait for leaves none for the tokens.
final class Frame {
  private let bytes: WipedBuffer

  init(_ frame: RawSpan) {
    var buffer = WipedBuffer(capacity: frame.byteCount)
    buffer.append(frame)
    bytes = buffer
  }

  var count: Int { bytes.count }

  func read() -> Conversation.Entry {
    unsafe bytes.withUnsafeBytes { unsafe Conversation.Entry(reading: RawSpan(_unsafeBytes: $0)) }
  }
}

extension Conversation.Entry {
  /// Bytes that it keeps while it waits.
  var waitingBytes: Int {
    switch self {
    case .frame(let frame): frame.count
    case .call, .refusal: 0
    }
  }

  /// What a frame turns out to be.
  init(reading frame: RawSpan) {
    do throws(CallError) {
      self = .call(try Call(frame))
    } catch {
      switch error {
      case .malformed: self = .refusal(error.reply, isLast: true)
      case .invalid: self = .refusal(error.reply, isLast: false)
      }
    }
  }
}
