/// The handlers of all watched descriptors, found by token.
///
/// A token names a slot and the slot's turn, so that an event that was fetched before its descriptor was dropped and
/// the number reused never reaches the new owner.
struct SourceTable {
  typealias Handler = @Sendable (Readiness) -> Void

  private struct Slot {
    var turn: UInt32
    var handler: Handler?
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  /// How many descriptors are watched.
  var count: Int { slots.count - free.count }

  mutating func insert(_ handler: @escaping Handler) -> UInt64 {
    if let index = free.popLast() {
      slots[index].handler = handler
      return token(index)
    }
    slots.append(Slot(turn: 0, handler: handler))
    return token(slots.count - 1)
  }

  /// Returns the handler, so that what it owns is not released with the table's lock held.
  mutating func remove(_ token: UInt64) -> Handler? {
    guard let index = index(of: token) else { return nil }
    let handler = slots[index].handler
    slots[index].handler = nil
    slots[index].turn &+= 1
    free.append(index)
    return handler
  }

  func handler(for token: UInt64) -> Handler? { index(of: token).flatMap { slots[$0].handler } }

  private func token(_ index: Int) -> UInt64 { UInt64(slots[index].turn) << 32 | UInt64(index) }

  private func index(of token: UInt64) -> Int? {
    let index = Int(token & 0xffff_ffff)
    guard index < slots.count, slots[index].turn == UInt32(token >> 32), slots[index].handler != nil else { return nil }
    return index
  }
}
