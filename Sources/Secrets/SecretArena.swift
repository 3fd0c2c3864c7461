import CLinux
import Synchronization

/// The one stretch of memory in which secrets live: mapped between guard pages, locked, in no core file.
///
/// Memory is handed out in slots of 64 bytes; a slot is wiped when it is given back.
@safe package final class SecretArena: Sendable {
  /// Bytes in the arena. Half of the usual RLIMIT_MEMLOCK of 8 MiB, and locked only where touched.
  package static let capacity = 4 << 20
  static let slotSize = 64
  static let slotCount = capacity / slotSize

  package static let shared = SecretArena()

  /// Whether the kernel promised to keep the arena out of swap. Shown by `status`.
  package let isLocked: Bool

  /// Fixed at creation and never unmapped; what lies behind it is handed out by `slots` alone.
  nonisolated(unsafe) private let base: UnsafeMutableRawPointer
  private let slots = Mutex(SlotMap(count: slotCount))

  private init() {
    var locked: Int32 = 0
    guard let base = unsafe clinux_map_guarded(Self.capacity, &locked) else {
      preconditionFailure("no address space for 4 MiB of locked memory")
    }
    unsafe self.base = base
    isLocked = locked != 0
  }

  /// Bytes in use, rounded up to slots. For tests and `status`.
  package var bytesInUse: Int { slots.withLock { $0.used } * Self.slotSize }

  func allocate(_ count: Int) throws(SecretMemoryExhausted) -> UnsafeMutableRawPointer {
    let need = Self.slots(for: count)
    guard let first = slots.withLock({ $0.take(need) }) else { throw SecretMemoryExhausted(requested: count) }
    return unsafe base + first * Self.slotSize
  }

  func release(_ pointer: UnsafeMutableRawPointer, _ count: Int) {
    unsafe clinux_wipe(pointer, count)
    let first = unsafe (pointer - base) / Self.slotSize
    slots.withLock { $0.give(first, Self.slots(for: count)) }
  }

  /// Gives back, wiped, what lies behind the first `kept` bytes of a room of `count` bytes.
  func shrink(_ pointer: UnsafeMutableRawPointer, from count: Int, to kept: Int) {
    unsafe clinux_wipe(pointer + kept, count - kept)
    let (had, keep) = (Self.slots(for: count), Self.slots(for: kept))
    guard keep < had else { return }
    let first = unsafe (pointer - base) / Self.slotSize
    slots.withLock { $0.give(first + keep, had - keep) }
  }

  private static func slots(for count: Int) -> Int { max(1, (count + slotSize - 1) / slotSize) }
}

/// The arena has no run of free slots long enough. Nothing was lost; drop what is not needed and ask again.
package struct SecretMemoryExhausted: Error, Equatable {
  /// Bytes asked for.
  package let requested: Int
}
