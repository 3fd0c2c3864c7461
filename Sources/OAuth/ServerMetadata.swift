package import JSON
package import Secrets

/// Authorization-server metadata (RFC 8414 §2, OpenID Connect Discovery §3), as far as it is used.
package struct ServerMetadata: Equatable, Sendable {
  /// `issuer`, equal to the identifier that was asked for.
  package let issuer: IssuerIdentifier
  /// `authorization_endpoint`.
  package let authorizationEndpoint: WebURL
  /// `token_endpoint`.
  package let tokenEndpoint: WebURL
  /// `jwks_uri`.
  package let keysURL: WebURL
  /// `revocation_endpoint` (RFC 7009); nil when absent or not allowed.
  package let revocationEndpoint: WebURL?
  /// `authorization_response_iss_parameter_supported` (RFC 9207 §3).
  package let promisesIssuerParameter: Bool

  /// Reads metadata as fetched for `issuer`.
  ///
  /// Throws ``ServerMetadataError``: above all when `issuer` in it differs in a single character (RFC 8414 §3.3).
  package init(reading body: SecretBox, of issuer: IssuerIdentifier, policy: EndpointPolicy) throws(ServerMetadataError)
  {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONReader.parseObject(body, limits: JSONLimits(members: 256))
    } catch {
      throw .malformed(error)
    }
    guard object["issuer"] == .string(issuer.text) else { throw .otherIssuer }
    self.issuer = issuer
    authorizationEndpoint = try Self.endpoint("authorization_endpoint", object, policy)
    tokenEndpoint = try Self.endpoint("token_endpoint", object, policy)
    keysURL = try Self.endpoint("jwks_uri", object, policy)
    revocationEndpoint =
      object["revocation_endpoint"] == nil ? nil : try Self.endpoint("revocation_endpoint", object, policy)
    promisesIssuerParameter = object["authorization_response_iss_parameter_supported"] == .bool(true)
    try Self.require("code", in: "response_types_supported", object)
    try Self.require(CodeChallenge.method, in: "code_challenge_methods_supported", object)
  }

  /// Where OpenID Connect Discovery §4 has the metadata of an issuer.
  package static func openIDConfigurationURL(_ issuer: IssuerIdentifier) -> String {
    (issuer.text.hasSuffix("/") ? String(issuer.text.dropLast()) : issuer.text) + "/.well-known/openid-configuration"
  }

  /// Where RFC 8414 §3.1 has it, between host and path, and where some servers put it instead, behind the path.
  package static func authorizationServerURLs(_ issuer: IssuerIdentifier) -> [String] {
    let wellKnown = "/.well-known/oauth-authorization-server"
    let origin = issuer.text.dropLast(issuer.path.count)
    let path = issuer.path.hasSuffix("/") ? issuer.path.dropLast() : issuer.path[...]
    return path.isEmpty ? [origin + wellKnown] : [origin + wellKnown + path, origin + path + wellKnown]
  }

  private static func endpoint(
    _ name: String, _ object: JSONObject, _ policy: EndpointPolicy
  ) throws(ServerMetadataError) -> WebURL {
    guard case .string(let text)? = object[name] else { throw .missing(name) }
    guard let url = policy.endpoint(text) else { throw .insecure(name) }
    return url
  }

  /// A list that is there must name what we use; one that is absent says nothing in practice.
  private static func require(_ value: String, in name: String, _ object: JSONObject) throws(ServerMetadataError) {
    guard case .array(let values)? = object[name] else { return }
    guard values.contains(.string(value)) else { throw .unsupported(name) }
  }
}

/// Why metadata was refused. It names members, never their values.
package enum ServerMetadataError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// The metadata is another issuer's.
  case otherIssuer
  case missing(String)
  /// The endpoint is not `https`, or no URL that we would use.
  case insecure(String)
  /// The member does not list what we need.
  case unsupported(String)
}

extension ServerMetadataError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "the issuer's metadata is malformed: \(error)"
    case .otherIssuer: "the metadata found there is another issuer's"
    case .missing(let name): "the issuer's metadata has no \(name)"
    case .insecure(let name): "the issuer's \(name) is not an https address"
    case .unsupported(let name): "the issuer's \(name) does not list what is needed"
    }
  }
}
