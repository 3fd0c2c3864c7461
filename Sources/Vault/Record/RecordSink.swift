import Secrets

/// Takes the fields of a record: one conforming type counts, one writes, so that both follow the same layout.
protocol RecordSink {
  mutating func put(_ byte: UInt8)
  mutating func put(bytes: UnsafeRawBufferPointer)
}

extension RecordSink {
  mutating func put(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { put(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func put(length: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { put(UInt8(truncatingIfNeeded: length >> shift)) }
  }

  mutating func put(_ text: String) {
    let bytes = Array(text.utf8)
    put(length: UInt32(bytes.count))
    unsafe bytes.withUnsafeBytes { unsafe put(bytes: $0) }
  }

  mutating func put(_ text: String?) {
    if let text { put(text) } else { put(length: .max) }
  }

  mutating func put(_ secret: SecretBox?) {
    guard let secret else { return put(length: .max) }
    put(length: UInt32(secret.count))
    unsafe secret.withUnsafeBytes { unsafe put(bytes: $0) }
  }
}

/// Counts the bytes that a record takes.
struct RecordSizer: RecordSink {
  private(set) var count = 0

  mutating func put(_ byte: UInt8) { count += 1 }
  mutating func put(bytes: UnsafeRawBufferPointer) { count += bytes.count }
}

/// Writes a record into room in the arena. The room must be as large as ``RecordSizer`` said.
@safe struct RecordWriter: RecordSink {
  private let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ room: UnsafeMutableRawBufferPointer) { unsafe self.room = room }

  mutating func put(_ byte: UInt8) {
    unsafe room[count] = byte
    count += 1
  }

  mutating func put(bytes: UnsafeRawBufferPointer) {
    for offset in 0..<bytes.count { unsafe room[count + offset] = bytes[offset] }
    count += bytes.count
  }
}
