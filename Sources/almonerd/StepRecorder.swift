import Glibc
import Vault

/// Lets a crash test see, and choose, the step of a rotation at which the daemon dies. Ordinary builds have none of it.
enum StepRecorder {
  #if FAULTS
    /// The step at which to die, and after how many microseconds: `r4 1500`.
    private static let killAt = parse(plan)
    private static let plan = unsafe getenv("ALMONER_KILL_AT").map { unsafe String(cString: $0) }

    static func prepare() { _ = killAt }

    static func record(_ step: RotationStep) {
      guard let killAt, killAt.step == step else { return }
      if killAt.microseconds == 0 { kill(getpid(), SIGKILL) }
      var timer = itimerval()
      timer.it_value.tv_usec = Int(killAt.microseconds)
      unsafe signal(SIGALRM) { _ in kill(getpid(), SIGKILL) }
      _ = unsafe setitimer(ITIMER_REAL, &timer, nil)
    }

    private static func parse(_ text: String?) -> (step: RotationStep, microseconds: UInt32)? {
      guard let words = text?.split(separator: " "), words.count == 2, let microseconds = UInt32(words[1]),
        let step = RotationStep.allCases.first(where: { "\($0)" == words[0] })
      else { return nil }
      return (step, microseconds)
    }
  #else
    static func prepare() {}
    static func record(_ step: RotationStep) {}
  #endif
}
