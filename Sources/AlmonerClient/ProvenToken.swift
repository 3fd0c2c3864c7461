import Secrets
import Wire

/// An access token that is bound to a key, with the proof for one request (RFC 9449 §7.1). The key stays with the daemon.
///
/// The request has the token as `Authorization: DPoP` and the proof as `DPoP`, and goes nowhere but where it was asked for.
public struct ProvenToken: Sendable {
  private let secret: SecretBox

  /// The token, with what belongs to it.
  public let token: AccessToken

  init(_ reply: Wire.GetDPoPProof.Reply, narrowedTo: (scopes: [String]?, resource: String?)) {
    secret = reply.proof
    token = AccessToken(reply.token, narrowedTo: narrowedTo)
  }

  /// Runs `body` on the proof's bytes. It is good once.
  public func withProofBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try secret.withSpan(body)
  }
}

extension ProvenToken: CustomStringConvertible, CustomReflectable {
  /// Token and proof are left out.
  public var description: String { "<proof beside \(token)>" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
