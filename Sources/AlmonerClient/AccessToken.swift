import Secrets
import Wire

/// An access token and what belongs to it. It prints as redacted, lies in locked memory, and is wiped when the last
/// copy goes.
public struct AccessToken: Sendable {
  private let secret: SecretBox
  /// What it was narrowed to, as asked for.
  let narrowedTo: (scopes: [String]?, resource: String?)

  /// `token_type` (RFC 6749 §7.1): how it is presented, usually `Bearer`.
  public let tokenType: String
  /// The account's name.
  public let account: String
  /// The issuer's identifier.
  public let issuer: String
  /// How long it lives from when it was handed out.
  public let lifetime: Duration
  /// `scope` (RFC 6749 §3.3) as granted; nil when the issuer did not say.
  public let scope: String?
  /// Counts the account's refreshes. A token of a lower generation is spent.
  public let generation: Int64
  /// Whether it lives less long than was asked, because the issuer grants no more.
  public let isShorterThanAsked: Bool
  /// Whether this call, or one that it joined, caused a refresh.
  public let wasRefreshed: Bool

  init(_ reply: Wire.GetAccessToken.Reply, narrowedTo: (scopes: [String]?, resource: String?)) {
    self.narrowedTo = narrowedTo
    secret = reply.accessToken
    tokenType = reply.tokenType
    account = reply.account
    issuer = reply.issuer
    lifetime = .seconds(reply.expiresIn)
    scope = reply.scope
    generation = reply.generation
    isShorterThanAsked = reply.shorter
    wasRefreshed = reply.refreshed
  }

  /// Runs `body` on the token's bytes. What is copied out of it is yours to wipe.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try secret.withSpan(body)
  }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
  /// The token is left out.
  public var description: String { "<access token of \(account), generation \(generation)>" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
