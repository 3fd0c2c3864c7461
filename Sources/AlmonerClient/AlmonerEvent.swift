import Wire

/// Something that happened to an account, or to all.
public struct AlmonerEvent: Equatable, Sendable {
  /// What happened. A newer daemon may know more kinds than are named here.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The protocol's word.
    public let rawValue: String

    /// A kind by the protocol's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Somebody signed in.
    public static let signedIn = Self(rawValue: "signed-in")
    /// There is a new generation: tokens handed out before may be refused by now.
    public static let refreshed = Self(rawValue: "refreshed")
    /// The session is over; somebody has to sign in.
    public static let signInRequired = Self(rawValue: "sign-in-required")
    /// Signed out on this machine.
    public static let signedOut = Self(rawValue: "signed-out")
    /// Locked: no token until it is unlocked.
    public static let locked = Self(rawValue: "locked")
    /// Unlocked.
    public static let unlocked = Self(rawValue: "unlocked")
    /// The disk or the keyring refused to keep something.
    public static let storageTrouble = Self(rawValue: "storage-trouble")
    /// A browser came back with what does not belong to the sign-in that waits.
    public static let callbackRejected = Self(rawValue: "callback-rejected")
  }

  /// What happened.
  public let kind: Kind
  /// The account's name; nil when it concerns all.
  public let account: String?
  /// The account's generation, where one belongs to it.
  public let generation: Int64?
  /// More, in words.
  public let detail: String?

  init(_ reply: Wire.Monitor.Reply) {
    kind = Kind(rawValue: reply.event.rawValue)
    account = reply.account
    generation = reply.generation
    detail = reply.detail
  }
}
