/// A place in the code at which a crash test can let a process die. This list is the only one: `almonerd --crash-points`
/// of a FAULTS build prints it. In any other build reaching a point is nothing.
package enum CrashPoint: CaseIterable {
  // The steps of a rotation, in the daemon.
  case r0, r1, r2, r3, r4, r5, r6, r7

  // The journal's intent, in the daemon: R3, and its end at R5.
  case intentWritten, intentSynced, idleWritten, idleSynced

  // A sealed file.
  case sealedBegun, sealedWritten, sealedSynced, sealedRenamed, sealedDirectorySynced, sealedReadBack

  // An item of the keyring.
  case keyringBegun, keyringReplaced, keyringReadBack

  // The courier's life.
  case courierReady, courierConnected, courierMayGo, courierMarked, courierDeparted
  case courierFirstByte, courierAnswered, padWritten, padSynced

  #if !FAULTS
    /// The process is here.
    @inlinable @inline(__always)
    package func reached() {}
  #endif
}
