import CLinux

/// A growing queue of bytes that may hold secrets in passing: a message being read or written.
///
/// It lives on the heap, not in the arena, so it is for bytes on their way only. What it held is wiped when it moves to
/// larger storage, when a prefix is consumed, and when its owner goes.
@safe package struct WipedBuffer: ~Copyable, Sendable {
  /// Owned by this value alone; nil until something was appended.
  nonisolated(unsafe) private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var start = 0
  private var end = 0

  /// An empty buffer. It takes no memory before the first byte.
  package init() { unsafe base = nil }

  /// An empty buffer with room for `capacity` bytes.
  package init(capacity: Int) {
    unsafe base = nil
    reserve(capacity)
  }

  deinit {
    guard let base = unsafe base else { return }
    unsafe clinux_wipe(base + start, end - start)
    unsafe base.deallocate()
  }

  /// How many bytes it holds.
  package var count: Int { end - start }

  package var isEmpty: Bool { start == end }

  /// The bytes, oldest first, borrowed until the buffer changes.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(
        _unsafeBytes: UnsafeRawBufferPointer(start: base.map { unsafe $0 + start }, count: count))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Runs `body` on the bytes, for a C function that wants a pointer. The pointer must not outlive the call.
  package func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe bytes.withUnsafeBytes(body)
  }

  /// Appends one byte.
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    if let base = unsafe base { unsafe base.storeBytes(of: byte, toByteOffset: end, as: UInt8.self) }
    end += 1
  }

  /// Appends a copy of `bytes`. The caller still has to wipe its own.
  package mutating func append(_ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return }
    reserve(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      guard let from = source.baseAddress, let base = unsafe base else { return }
      unsafe (base + end).copyMemory(from: from, byteCount: source.count)
    }
    end += bytes.byteCount
  }

  /// Appends the UTF-8 of text that is no secret.
  package mutating func append(_ text: String) { unsafe append(text.utf8.span.bytes) }

  /// Lets `fill` write at most `room` bytes behind the last one (`recv`, `read`) and keeps as many as it returns;
  /// a negative result keeps none. Returns what `fill` returned.
  @discardableResult
  package mutating func append(room: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(room)
    guard let base = unsafe base else { return 0 }
    let written = unsafe fill(UnsafeMutableRawBufferPointer(start: base + end, count: room))
    precondition(written <= room, "filled more than there was room for")
    end += max(0, written)
    return written
  }

  /// Wipes and drops the oldest `count` bytes: those that were sent, or understood.
  package mutating func consume(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "consumed more than there is")
    guard let base = unsafe base else { return }
    unsafe clinux_wipe(base + start, count)
    start += count
    if start == end {
      start = 0
      end = 0
    }
  }

  /// Wipes and drops everything, keeping the storage for the next message.
  package mutating func removeAll() { consume(count) }

  /// Where `byte` first occurs, searching from `offset`; nil when it does not.
  package func firstOffset(of byte: UInt8, from offset: Int = 0) -> Int? {
    unsafe withUnsafeBytes { bytes in
      unsafe bytes[min(offset, bytes.count)...].firstIndex(of: byte)
    }
  }

  /// Moves the bytes into the arena and wipes them here. On ``SecretMemoryExhausted`` they stay.
  package mutating func takeSecret() throws(SecretMemoryExhausted) -> SecretBytes {
    let secret = try SecretBytes(copying: bytes)
    removeAll()
    return secret
  }

  /// Makes room for `count` more bytes.
  private mutating func reserve(_ count: Int) {
    guard end + count > capacity else { return }
    let held = self.count
    let larger = max(64, (held + count) * 2)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let base = unsafe base {
      unsafe moved.copyMemory(from: base + start, byteCount: held)
      unsafe clinux_wipe(base + start, held)
      unsafe base.deallocate()
    }
    unsafe base = moved
    capacity = larger
    start = 0
    end = held
  }
}

extension WipedBuffer {
  /// Whether both hold the same bytes, in time that does not depend on where they differ.
  package func isEqual(to other: borrowing WipedBuffer) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        unsafe left.isEmpty || clinux_equal(left.baseAddress, right.baseAddress, left.count) == 1
      }
    }
  }
}
