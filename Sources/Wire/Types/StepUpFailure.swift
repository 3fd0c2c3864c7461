extension Wire {
  /// Why a step-up ended without an approval.
  package struct StepUpFailure: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The issuer looked, and said no.
    package static let declined = Self(rawValue: "declined")
    /// Nobody finished it in time.
    package static let expired = Self(rawValue: "expired")
    /// The person gave it up.
    package static let cancelled = Self(rawValue: "cancelled")
    /// The session that it belongs to is over.
    package static let sessionEnded = Self(rawValue: "session-ended")

    package static let all = [declined, expired, cancelled, sessionEnded]
  }
}
