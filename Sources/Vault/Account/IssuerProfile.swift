package import Exchange

/// What is configured of one issuer. Two profiles with different `identifier` or `environment` never share anything.
package struct IssuerProfile: Equatable, Sendable {
  /// Sandbox and live never share an item, file, callback or attempt.
  package enum Environment: String, Sendable {
    case live
    case sandbox
  }

  /// The configuration's name for it, or the host when it came from `login`.
  package var name: String
  /// `didit`, `openid` or `oauth`: which adapter speaks to it.
  package let kind: String
  /// The issuer identifier (RFC 8414 §2), without a trailing slash: the origin for Didit.
  package let identifier: String
  package let environment: Environment
  /// The OAuth `client_id`; Didit's application ID, which may be unknown.
  package var clientID: String?
  package var egress: EgressPolicy
  package var rotation: RotationPolicy
  package var options: IssuerOptions

  package init(
    name: String, kind: String, identifier: String, environment: Environment, clientID: String?, egress: EgressPolicy,
    rotation: RotationPolicy, options: IssuerOptions = IssuerOptions()
  ) {
    self.name = name
    self.kind = kind
    self.identifier = identifier
    self.environment = environment
    self.clientID = clientID
    self.egress = egress
    self.rotation = rotation
    self.options = options
  }
}
