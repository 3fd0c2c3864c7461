import Glibc
import Vault

/// Lets a crash test see, and choose, the step of a rotation at which the daemon dies. Ordinary builds have none of it.
enum StepRecorder {
  #if FAULTS
    /// `r4 1500`: die 1,500 microseconds after the step r4 began.
    private static let killAt = parse(unsafe getenv("ALMONER_FAULT_KILL_AT").map { unsafe String(cString: $0) })
    /// One byte: the step that has begun last. A file outlives whoever wrote it.
    private static let trace = unsafe getenv("ALMONER_FAULT_TRACE").map { unsafe open($0, O_WRONLY | O_CLOEXEC) }

    static func record(_ step: RotationStep) {
      if let trace { _ = unsafe pwrite(trace, [step.rawValue], 1, 0) }
      guard let killAt, killAt.step == step else { return }
      if killAt.microseconds == 0 { kill(getpid(), SIGKILL) }
      var timer = itimerval()
      timer.it_value.tv_usec = Int(killAt.microseconds)
      signal(SIGALRM, die)
      _ = unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
    }

    private static func parse(_ text: String?) -> (step: RotationStep, microseconds: UInt32)? {
      guard let words = text?.split(separator: " "), words.count == 2, let microseconds = UInt32(words[1]),
        let step = RotationStep.allCases.first(where: { "\($0)" == words[0] })
      else { return nil }
      return (step, min(microseconds, 999_999))
    }
  #else
    static func record(_ step: RotationStep) {}
  #endif
}

#if FAULTS
  private func die(_: Int32) { kill(getpid(), SIGKILL) }
#endif
