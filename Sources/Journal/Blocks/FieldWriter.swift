import Secrets

/// Writes numbers, texts and bytes one after another into secret memory; ``FieldReader`` reads them back.
///
/// Numbers are big-endian; texts and bytes have a length of 32 bits in front.
@safe struct FieldWriter: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0
  /// Whether something did not fit. What was written then must not be used.
  private(set) var hasOverflowed = false

  init(_ room: UnsafeMutableRawBufferPointer) { unsafe self.room = unsafe room }

  mutating func write(_ number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe append($0) }
  }

  mutating func write(_ isTrue: Bool) { write(UInt8(isTrue ? 1 : 0)) }

  /// Without a length: the reader knows it.
  mutating func write(fixed bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe append($0) } }

  mutating func write(_ text: String) {
    write(UInt32(text.utf8.count))
    write(fixed: Array(text.utf8))
  }

  mutating func write(_ secret: SecretBox) {
    write(UInt32(secret.count))
    unsafe secret.withUnsafeBytes { unsafe append($0) }
  }

  mutating func write<Value>(optional value: Value?, _ body: (inout FieldWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe bytes.count <= room.count - count, !hasOverflowed else {
      hasOverflowed = true
      return
    }
    unsafe UnsafeMutableRawBufferPointer(rebasing: room[count..<count + bytes.count]).copyMemory(from: bytes)
    count += bytes.count
  }
}

extension SecretBytes {
  /// The fields that `body` writes. Throws ``FieldError`` when they need more than `capacity`, or there is no memory.
  static func fields(capacity: Int, _ body: (inout FieldWriter) -> Void) throws(FieldError) -> SecretBytes {
    do {
      return unsafe try SecretBytes(capacity: capacity) { room in
        var writer = unsafe FieldWriter(room)
        body(&writer)
        if writer.hasOverflowed { throw FieldError.tooLong }
        return writer.count
      }
    } catch let error as FieldError {
      throw error
    } catch {
      throw .noMemory
    }
  }
}
