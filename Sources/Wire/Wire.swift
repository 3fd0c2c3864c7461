package import JSON

/// What `org.almoner.Almoner` looks like on the socket: messages as values, no I/O.
///
/// Everything here mirrors ``InterfaceDescription``; a test compares the two. What must not go in: sockets, deadlines,
/// and what a call does.
package enum Wire {
  /// The most bytes of one call, without the NUL that ends it.
  package static let maximumFrame = 64 << 10
  /// The most bytes of one reply, without the NUL. A list of all accounts may be longer than any call.
  package static let maximumReply = 1 << 20

  /// Members whose strings are secrets, in calls and in replies.
  package static let secretMembers: Set<String> = [
    "accessToken", "clientSecret", "initialAccessToken", "monitoringToken", "passphrase", "proof", "redirectedUrl",
    "registrationAccessToken",
  ]

  /// How a daemon reads calls.
  package static let callLimits = JSONLimits(
    bytes: maximumFrame, depth: 6, stringBytes: 48 << 10, members: 32, elements: 64)
  /// How a client reads replies.
  package static let replyLimits = JSONLimits(
    bytes: maximumReply, depth: 8, stringBytes: maximumFrame, members: 64, elements: 4096)

  /// Named limits of parameters.
  package enum Limit {
    /// The most bytes of an account's name, its id, an issuer's URL or another such text.
    package static let text = 2048
    /// The most bytes of an action, an amount or a currency.
    package static let word = 64
    /// The most bytes of a file's path.
    package static let path = 4095
    /// The most bytes of a token that somebody else gave the person.
    package static let bearer = 4096
    /// The most bytes of a redirected URL.
    package static let redirectedURL = 16 << 10
    /// The most bytes of a passphrase.
    package static let passphrase = 1024
    /// Seconds a call may wait.
    package static let timeout: ClosedRange<Int64> = 1...120
    /// Seconds of life that may be asked for: up to 30 days.
    package static let minValid: ClosedRange<Int64> = 0...2_592_000
    /// Seconds since a person proved who they are: up to 30 days.
    package static let maxAge: ClosedRange<Int64> = 0...2_592_000
    /// A generation of tokens: 0 before the code was redeemed, then 1, 2, 3, …
    package static let generation: ClosedRange<Int64> = 0 ... .max
    /// The most locales or scopes.
    package static let list = 32
    /// The most bytes of a locale or scope.
    package static let listedText = 256
  }
}
