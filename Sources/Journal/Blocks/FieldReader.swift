import Secrets

/// Reads what ``FieldWriter`` wrote. Every length meets the limit that the caller names before anything is allocated.
@safe struct FieldReader: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// `bytes` must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(FieldError) -> Number {
    let field = unsafe try take(MemoryLayout<Number>.size)
    return unsafe Number(bigEndian: field.loadUnaligned(as: Number.self))
  }

  mutating func bool() throws(FieldError) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    case let other:
      precondition(other > 1)
      throw .malformed
    }
  }

  mutating func fixed(_ count: Int) throws(FieldError) -> [UInt8] { unsafe Array(try take(count)) }

  mutating func text(atMost limit: Int) throws(FieldError) -> String {
    let field = unsafe try take(try length(limit))
    guard let text = unsafe String(validating: field, as: UTF8.self) else { throw .malformed }
    return text
  }

  mutating func secret(atMost limit: Int) throws(FieldError) -> SecretBox {
    let field = unsafe try take(try length(limit))
    do {
      return unsafe SecretBox(try SecretBytes(copying: field.bytes))
    } catch {
      throw .noMemory
    }
  }

  mutating func optional<Value>(
    _ body: (inout FieldReader) throws(FieldError) -> Value
  ) throws(FieldError) -> Value? {
    try bool() ? try body(&self) : nil
  }

  /// Nothing may follow.
  func end() throws(FieldError) {
    if unsafe position != bytes.count { throw .malformed }
  }

  private mutating func length(_ limit: Int) throws(FieldError) -> Int {
    let count = Int(try number(UInt32.self))
    if count > limit { throw .tooLong }
    return count
  }

  private mutating func take(_ count: Int) throws(FieldError) -> UnsafeRawBufferPointer {
    guard unsafe count <= bytes.count - position else { throw .malformed }
    defer { position += count }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}

extension SecretBytes {
  /// Reads the fields; they must fill the secret exactly.
  func readFields<Value>(_ body: (inout FieldReader) throws(FieldError) -> Value) throws(FieldError) -> Value {
    do {
      return unsafe try withUnsafeBytes { bytes in
        var reader = unsafe FieldReader(bytes)
        let value = try body(&reader)
        try reader.end()
        return value
      }
    } catch let error as FieldError {
      throw error
    } catch {
      throw .malformed
    }
  }
}
