import CrashPoints
import Glibc
import Vault

/// Lets a crash test see, and choose, the step of a rotation at which the daemon dies. Ordinary builds have none of it.
enum StepRecorder {
  #if FAULTS
    /// One byte: the step that has begun last. A file outlives whoever wrote it.
    private static let trace = unsafe getenv("ALMONER_FAULT_TRACE").map { unsafe open($0, O_WRONLY | O_CLOEXEC) }

    static func record(_ step: RotationStep) {
      if let trace { _ = unsafe pwrite(trace, [step.rawValue], 1, 0) }
      step.point?.reached()
    }
  #else
    static func record(_ step: RotationStep) {}
  #endif
}

#if FAULTS
  extension RotationStep {
    fileprivate var point: CrashPoint? {
      switch self {
      case .idle: nil
      case .r0: .r0
      case .r1: .r1
      case .r2: .r2
      case .r3: .r3
      case .r4: .r4
      case .r5: .r5
      case .r6: .r6
      case .r7: .r7
      }
    }
  }
#endif
