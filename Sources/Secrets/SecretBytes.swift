import CLinux

/// Bytes that must not leak: they live in the locked arena, cannot be copied by accident, print as redacted, and are
/// wiped when the last owner goes.
@safe package struct SecretBytes: ~Copyable, Sendable {
  /// How many bytes the secret has.
  package let count: Int

  /// Owned by this value alone and not written after `init`, so any thread may read it.
  nonisolated(unsafe) private let base: UnsafeMutableRawPointer

  /// Makes room for `capacity` bytes and keeps as many as `fill` says it wrote.
  ///
  /// The bytes handed to `fill` are zero. Throws ``SecretMemoryExhausted``, or what `fill` throws; the room is wiped then.
  package init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    let room = unsafe try SecretArena.shared.allocate(capacity)
    do {
      let written = try unsafe fill(UnsafeMutableRawBufferPointer(start: room, count: capacity))
      precondition(written >= 0 && written <= capacity)
      // Shrunk to fit, so that `count` alone says which slots to give back.
      unsafe SecretArena.shared.shrink(room, from: capacity, to: written)
      unsafe base = room
      count = written
    } catch {
      unsafe SecretArena.shared.release(room, capacity)
      throw error
    }
  }

  /// Makes room for exactly `count` bytes and lets `fill` write all of them. They are zero before.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) throws(SecretMemoryExhausted) {
    let room = unsafe try SecretArena.shared.allocate(count)
    unsafe fill(UnsafeMutableRawBufferPointer(start: room, count: count))
    unsafe base = room
    self.count = count
  }

  /// Copies `bytes` into the arena. The caller still has to wipe its own copy.
  package init(copying bytes: RawSpan) throws(SecretMemoryExhausted) {
    let room = unsafe try SecretArena.shared.allocate(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: room, count: source.count).copyMemory(from: source)
    }
    unsafe base = room
    count = bytes.byteCount
  }

  /// Copies a part of another secret, without a stop outside the arena.
  package init(copying other: borrowing SecretBytes, _ range: Range<Int>) throws(SecretMemoryExhausted) {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
    let room = unsafe try SecretArena.shared.allocate(range.count)
    unsafe room.copyMemory(from: other.base + range.lowerBound, byteCount: range.count)
    unsafe base = room
    count = range.count
  }

  deinit { unsafe SecretArena.shared.release(base, count) }

  /// The bytes, borrowed for as long as the secret is.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(_unsafeStart: base, byteCount: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Runs `body` on the bytes, for a C function that wants a pointer. The pointer must not outlive the call.
  package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Whether both hold the same bytes, in time that does not depend on where they differ.
  package func isEqual(to other: borrowing SecretBytes) -> Bool {
    unsafe count == other.count && clinux_equal(base, other.base, count) == 1
  }
}
