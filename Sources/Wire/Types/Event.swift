extension Wire {
  /// What happened.
  package struct Event: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// From here on events are sent.
    package static let watching = Self(rawValue: "watching")
    /// Somebody signed in.
    package static let signedIn = Self(rawValue: "signed-in")
    /// There is a new generation.
    package static let refreshed = Self(rawValue: "refreshed")
    /// The session is over.
    package static let signInRequired = Self(rawValue: "sign-in-required")
    /// Signed out here.
    package static let signedOut = Self(rawValue: "signed-out")
    /// Locked.
    package static let locked = Self(rawValue: "locked")
    /// Unlocked.
    package static let unlocked = Self(rawValue: "unlocked")
    /// The disk or the keyring refused.
    package static let storageTrouble = Self(rawValue: "storage-trouble")
    /// A browser came back with what does not belong to the attempt: another `state`, issuer or address.
    package static let callbackRejected = Self(rawValue: "callback-rejected")

    /// All that this version knows.
    package static let all = [
      watching, signedIn, refreshed, signInRequired, signedOut, locked, unlocked, storageTrouble, callbackRejected,
    ]
  }
}
