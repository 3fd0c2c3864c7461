/// An instant of one boot: what a ``BootInstant`` means also after a reboot.
package struct BootMoment: Hashable, Sendable {
  package let boot: BootID
  package let instant: BootInstant

  package init(boot: BootID, instant: BootInstant) {
    self.boot = boot
    self.instant = instant
  }
}
