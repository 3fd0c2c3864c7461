import CSodium

/// The library as a whole.
package enum Sodium {
  /// Readies libsodium. Every program calls this once, before anything else of this target; calling again does nothing.
  ///
  /// Throws ``SodiumUnavailable`` when the library cannot get random numbers: the program must end then.
  package static func start() throws(SodiumUnavailable) {
    guard sodium_init() >= 0 else { throw SodiumUnavailable() }
  }
}

/// libsodium could not be readied.
package struct SodiumUnavailable: Error, Equatable {}
