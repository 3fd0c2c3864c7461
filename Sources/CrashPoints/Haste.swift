#if FAULTS
  import Glibc
  import Synchronization

  /// How many times faster the daemon's clock runs: `ALMONER_FAULT_HASTE`, 1 to 100. The instant at which an answer was
  /// received is the courier's to tell, so it is told the factor.
  package enum Haste {
    private static let value = Atomic<Int64>(
      unsafe getenv("ALMONER_FAULT_HASTE").flatMap { unsafe Int64(String(cString: $0)) }.map(limited) ?? 1)

    package static var factor: Int64 { value.load(ordering: .relaxed) }

    static func become(_ factor: Int64) { value.store(limited(factor), ordering: .relaxed) }

    private static func limited(_ factor: Int64) -> Int64 { max(1, min(factor, 100)) }
  }
#endif
