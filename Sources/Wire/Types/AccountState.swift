extension Wire {
  /// The state of an account.
  package struct AccountState: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Tokens are there.
    package static let signedIn = Self(rawValue: "signed-in")
    /// New tokens are on their way.
    package static let refreshing = Self(rawValue: "refreshing")
    /// Nobody is signed in, or no longer.
    package static let signInRequired = Self(rawValue: "sign-in-required")
    /// Its store is locked: present or absent cannot be told.
    package static let locked = Self(rawValue: "locked")
    /// Its store does not answer.
    package static let unavailable = Self(rawValue: "unavailable")
    /// A sign-out goes on.
    package static let signingOut = Self(rawValue: "signing-out")
    /// What is stored cannot be read.
    package static let damaged = Self(rawValue: "damaged")

    /// All that this version knows.
    package static let all = [signedIn, refreshing, signInRequired, locked, unavailable, signingOut, damaged]
  }
}
