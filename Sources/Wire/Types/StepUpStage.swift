extension Wire {
  /// How far a step-up has come.
  package struct StepUpStage: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `url` is there: open it.
    package static let verify = Self(rawValue: "verify")
    /// The issuer approved. The last reply.
    package static let approved = Self(rawValue: "approved")
    /// No rule of the issuer's applies. The only reply.
    package static let notRequired = Self(rawValue: "not-required")

    /// All that this version knows.
    package static let all = [verify, approved, notRequired]
  }
}
