/// Why a step-up ended without an approval.
package enum StepUpFailure: String, Sendable {
  /// The vendor looked, and said no.
  case declined
  /// Nobody finished it within its 30 minutes.
  case expired
  /// The person gave it up.
  case cancelled
  /// The session that it belongs to is over: signed out, or signed in anew.
  case sessionEnded = "session-ended"
}
