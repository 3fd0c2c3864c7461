package import Secrets

extension CallbackFrame {
  /// The frame as it goes over the socket, its length in front. It may hold an authorization code.
  package func encoded() throws(SecretMemoryExhausted) -> SecretBytes {
    do {
      return unsafe try SecretBytes(capacity: 4 + Self.maximum) { room in
        var writer = unsafe FrameWriter(room: room)
        unsafe write(to: &writer)
        unsafe room.storeBytes(of: UInt32(writer.count - 4).bigEndian, as: UInt32.self)
        return unsafe writer.count
      }
    } catch let error as SecretMemoryExhausted {
      throw error
    } catch {
      preconditionFailure("nothing else is thrown above")
    }
  }

  private func write(to writer: inout FrameWriter) {
    switch self {
    case .listen(let listen):
      unsafe writer.byte(1)
      unsafe writer.byte(listen.anyPort ? 1 : 0)
      unsafe writer.number(listen.deadline)
      unsafe writer.number(listen.uid)
      unsafe writer.text(listen.authority)
      unsafe writer.text(listen.path)
    case .verdict(let verdict):
      unsafe writer.byte(2)
      unsafe writer.byte(verdict.rawValue)
    case .listening(let port):
      unsafe writer.byte(3)
      unsafe writer.number(port)
    case .portBusy: unsafe writer.byte(4)
    case .query(let query):
      precondition(query.count <= Self.maximumQuery, "a query is measured where it comes in")
      unsafe writer.byte(5)
      unsafe query.withUnsafeBytes { unsafe writer.bytes($0) }
    case .failed(let code):
      unsafe writer.byte(6)
      unsafe writer.number(UInt32(bitPattern: code))
    }
  }
}

/// Writes fields one after the other behind the four bytes of the length.
@unsafe private struct FrameWriter {
  let room: UnsafeMutableRawBufferPointer
  var count = 4

  init(room: UnsafeMutableRawBufferPointer) { unsafe self.room = unsafe room }

  mutating func byte(_ value: UInt8) {
    unsafe room[count] = value
    unsafe count += 1
  }

  mutating func number<N: FixedWidthInteger>(_ value: N) {
    for shift in stride(from: N.bitWidth - 8, through: 0, by: -8) {
      unsafe byte(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Our own configuration's words: longer than the registered URI's limit is our mistake.
  mutating func text(_ value: String) {
    let utf8 = Array(value.utf8)
    precondition(utf8.count <= 2048, "the registered redirect URI is measured where it is configured")
    unsafe number(UInt16(utf8.count))
    for unit in utf8 { unsafe byte(unit) }
  }

  mutating func bytes(_ source: UnsafeRawBufferPointer) {
    unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: source)
    unsafe count += source.count
  }
}
