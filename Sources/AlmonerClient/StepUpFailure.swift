import Wire

/// Why a step-up ended without an approval. A newer daemon may know more reasons than are named here.
public struct StepUpFailure: RawRepresentable, Hashable, Sendable {
  /// The protocol's word.
  public let rawValue: String

  /// A reason by the protocol's word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The issuer looked, and said no.
  public static let declined = Self(rawValue: Wire.StepUpFailure.declined.rawValue)
  /// Nobody finished it in time.
  public static let expired = Self(rawValue: Wire.StepUpFailure.expired.rawValue)
  /// The person gave it up.
  public static let cancelled = Self(rawValue: Wire.StepUpFailure.cancelled.rawValue)
  /// The session that it belongs to is over.
  public static let sessionEnded = Self(rawValue: Wire.StepUpFailure.sessionEnded.rawValue)
}
