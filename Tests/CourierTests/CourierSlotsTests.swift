import Courier
import Testing

struct CourierSlotsTests {
  @Test func `one origin gets only its share`() {
    var slots = CourierSlots()
    let granted = [slots.request(1, "a"), slots.request(2, "a"), slots.request(3, "a")]
    #expect(granted == [true, true, false])
  }

  @Test func `a hanging origin delays no other`() {
    var slots = CourierSlots()
    for number in 1...10 as ClosedRange<UInt64> { _ = slots.request(number, "hangs") }
    let isGranted = slots.request(11, "other")
    #expect(isGranted)
  }

  @Test func `no more couriers than the total fly`() {
    var slots = CourierSlots()
    let granted = (0..<20 as Range<UInt64>).filter { slots.request($0, "origin \($0)") }
    #expect(granted.count == CourierSlots.total)
  }

  @Test func `who waits is served in order when a slot is given back`() {
    var slots = CourierSlots()
    for number in 1...4 as ClosedRange<UInt64> { _ = slots.request(number, "a") }
    let served = slots.release("a")
    #expect(served == [3])
  }

  @Test func `who gives up waiting is not served`() {
    var slots = CourierSlots()
    for number in 1...4 as ClosedRange<UInt64> { _ = slots.request(number, "a") }
    _ = slots.withdraw(3)
    let served = slots.release("a")
    #expect(served == [4])
  }

  @Test func `who was served cannot give up`() {
    var slots = CourierSlots()
    _ = slots.request(1, "a")
    let isWithdrawn = slots.withdraw(1)
    #expect(!isWithdrawn)
  }
}
