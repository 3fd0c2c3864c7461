import Secrets

extension CallbackFrame {
  /// Reads the first frame of what has come so far.
  ///
  /// Nil: not whole yet. Otherwise the frame and how many bytes it took. Allocates only for bytes that are there.
  package static func decode(_ received: UnsafeRawBufferPointer) throws -> (frame: CallbackFrame, count: Int)? {
    guard received.count >= 4 else { return nil }
    let length = unsafe received[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= maximum else { throw Malformed.tooLong }
    guard length >= 1 else { throw Malformed.wrongFields }
    guard received.count >= 4 + length else { return nil }
    var reader = unsafe FrameReader(rest: UnsafeRawBufferPointer(rebasing: received[4..<4 + length]))
    let frame = unsafe try read(&reader)
    guard unsafe reader.rest.isEmpty else { throw Malformed.wrongFields }
    return (frame, 4 + length)
  }

  private static func read(_ reader: inout FrameReader) throws -> CallbackFrame {
    switch unsafe try reader.number(UInt8.self) {
    case 1:
      let flags = unsafe try reader.number(UInt8.self)
      guard flags <= 1 else { throw Malformed.wrongFields }
      let deadline = unsafe try reader.number(UInt32.self)
      let uid = unsafe try reader.number(UInt32.self)
      let authority = unsafe try reader.text()
      let path = unsafe try reader.text()
      return .listen(
        Listen(authority: authority, path: path, anyPort: flags == 1, deadline: deadline, uid: uid))
    case 2:
      guard let verdict = Verdict(rawValue: unsafe try reader.number(UInt8.self)) else { throw Malformed.wrongFields }
      return .verdict(verdict)
    case 3: return .listening(port: unsafe try reader.number(UInt16.self))
    case 4: return .portBusy
    case 5: return .query(unsafe try reader.secret())
    case 6: return .failed(errno: Int32(bitPattern: unsafe try reader.number(UInt32.self)))
    default: throw Malformed.unknownKind
    }
  }
}

/// Reads fields one after the other.
@unsafe private struct FrameReader {
  var rest: UnsafeRawBufferPointer

  init(rest: UnsafeRawBufferPointer) { unsafe self.rest = unsafe rest }

  private mutating func take(_ count: Int) throws(CallbackFrame.Malformed) -> UnsafeRawBufferPointer {
    guard unsafe rest.count >= count else { throw .wrongFields }
    let piece = unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
    unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
    return unsafe piece
  }

  mutating func number<N: FixedWidthInteger>(_: N.Type) throws(CallbackFrame.Malformed) -> N {
    unsafe try take(N.bitWidth / 8).reduce(N.zero) { N(truncatingIfNeeded: UInt64($0) << 8 | UInt64($1)) }
  }

  mutating func text() throws(CallbackFrame.Malformed) -> String {
    let count = unsafe try number(UInt16.self)
    guard let text = unsafe String(validating: try take(Int(count)), as: UTF8.self) else { throw .wrongFields }
    return text
  }

  /// All that is left, as a secret.
  mutating func secret() throws -> SecretBox {
    let piece = unsafe try take(rest.count)
    guard piece.count <= CallbackFrame.maximumQuery else { throw CallbackFrame.Malformed.tooLong }
    return SecretBox(unsafe try SecretBytes(copying: piece.bytes))
  }
}
