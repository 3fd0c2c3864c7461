import Secrets
import Wire

/// A credential for what an app tells of its device, at an issuer that has such. It prints as redacted, lies in locked
/// memory, and is wiped when the last copy goes.
public struct MonitoringToken: Sendable {
  private let secret: SecretBox

  /// The account's name.
  public let account: String
  /// The issuer's identifier.
  public let issuer: String
  /// How long it lives from when it was handed out.
  public let lifetime: Duration

  init(_ reply: Wire.GetMonitoringToken.Reply) {
    secret = reply.monitoringToken
    account = reply.account
    issuer = reply.issuer
    lifetime = .seconds(reply.expiresIn)
  }

  /// Runs `body` on the token's bytes. What is copied out of it is yours to wipe.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try secret.withSpan(body)
  }
}

extension MonitoringToken: CustomStringConvertible, CustomReflectable {
  /// The token is left out.
  public var description: String { "<monitoring token of \(account)>" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
