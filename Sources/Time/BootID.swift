/// Names one boot of the machine, as the kernel reports it (`/proc/sys/kernel/random/boot_id`): 16 bytes.
package struct BootID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
