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

  #if FAULTS
    /// Whether the next flight finds nobody who listens. `ALMONER_FAULT_REFUSE` names a file with a letter a flight, `r`
    /// for refused; each is taken off as its flight departs, or is refused, so that it holds for later daemons too.
    static func nextIsRefused() -> Bool { letters().first == UInt8(ascii: "r") }

    static func takeFlight() {
      guard let path = unsafe refusals else { return }
      let rest = Array(letters().dropFirst())
      let file = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
      _ = unsafe write(file, rest, rest.count)
      close(file)
    }

    private static var refusals: UnsafeMutablePointer<CChar>? { unsafe getenv("ALMONER_FAULT_REFUSE") }

    private static func letters() -> [UInt8] {
      guard let path = unsafe refusals else { return [] }
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      var room = [UInt8](repeating: 0, count: 64)
      let count = unsafe room.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
      return Array(room.prefix(max(0, count)))
    }
  #endif
}
