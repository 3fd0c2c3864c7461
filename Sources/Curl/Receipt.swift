package import Time

/// When an answer was complete, on every clock that somebody will ask about.
package struct Receipt: Sendable {
  package let at: BootInstant
  package let boot: BootID
  package let wall: WallInstant

  package init(at: BootInstant, boot: BootID, wall: WallInstant) {
    self.at = at
    self.boot = boot
    self.wall = wall
  }
}
