/// Names one flight of one account.
package struct FlightNumber: Equatable, Sendable {
  /// The generation whose refresh token is sent; 0 for the code.
  package let generation: UInt64
  package let flight: UInt64

  package init(generation: UInt64, flight: UInt64) {
    self.generation = generation
    self.flight = flight
  }
}
