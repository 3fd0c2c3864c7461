/// Which slots of an arena are taken: a bitmap searched first-fit, so that what is needed for a moment only uses the
/// same few pages again and again. A page that was touched once stays in memory, since it is locked.
struct SlotMap {
  private var words: [UInt64]
  private let count: Int
  /// No slot before this one is free.
  private var firstFree = 0
  private(set) var used = 0

  init(count: Int) {
    self.count = count
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  /// Takes `run` neighbouring slots and returns the first, or nil when no such run is free.
  mutating func take(_ run: Int) -> Int? {
    firstFree = search(1, from: firstFree, below: count) ?? count
    guard let first = search(run, from: firstFree, below: count) else { return nil }
    for slot in first..<first + run { words[slot / 64] |= 1 << UInt64(slot % 64) }
    used += run
    if first == firstFree { firstFree += run }
    return first
  }

  mutating func give(_ first: Int, _ run: Int) {
    for slot in first..<first + run { words[slot / 64] &= ~(1 << UInt64(slot % 64)) }
    used -= run
    firstFree = min(firstFree, first)
  }

  private func search(_ run: Int, from start: Int, below end: Int) -> Int? {
    var length = 0
    var slot = start
    while slot < end {
      if slot % 64 == 0, words[slot / 64] == .max {
        length = 0
        slot += 64
        continue
      }
      length = words[slot / 64] & (1 << UInt64(slot % 64)) == 0 ? length + 1 : 0
      slot += 1
      if length == run { return slot - run }
    }
    return nil
  }
}
