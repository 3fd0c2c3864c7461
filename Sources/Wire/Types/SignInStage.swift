extension Wire {
  /// How far a sign-in has come.
  package struct SignInStage: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `attempt` and `url` are there: open the URL.
    package static let attempt = Self(rawValue: "attempt")
    /// The account and its claims are there. The last reply.
    package static let signedIn = Self(rawValue: "signed-in")

    /// All that this version knows.
    package static let all = [attempt, signedIn]
  }
}
