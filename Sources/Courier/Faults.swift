import Glibc

/// Faults that a test build can be started with. In any other build there are none, whatever the environment says.
enum Faults {
  /// Whether couriers land their answers. Off with `ALMONER_FAULT_NO_LANDING` in a FAULTS build: the daemon then writes
  /// the pad itself, as it would have to without couriers, and a crash test can be seen to fail.
  static var courierLands: Bool {
    #if FAULTS
      unsafe getenv("ALMONER_FAULT_NO_LANDING") == nil
    #else
      true
    #endif
  }
}
