#if FAULTS
  import CrashPoints
  import Time

  /// A clock that runs some times faster than the kernel's, for crash tests that cannot wait for processing limits and
  /// the ends of tokens. Everything that the vault measures with it stays as it is.
  struct HastyClock: Clock {
    private let kernel: any Clock

    init(_ kernel: any Clock) { self.kernel = kernel }

    var now: BootInstant { BootInstant(nanoseconds: kernel.now.nanoseconds * Haste.factor) }
    var wall: WallInstant { kernel.wall }
    var bootID: BootID { kernel.bootID }

    func sleep(until instant: BootInstant) async throws(CancellationError) {
      try await kernel.sleep(until: BootInstant(nanoseconds: instant.nanoseconds / Haste.factor))
    }
  }
#endif
