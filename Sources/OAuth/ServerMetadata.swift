package import JSON
package import Secrets

/// Authorization-server metadata (RFC 8414 §2, OpenID Connect Discovery §3), as far as it is used.
package struct ServerMetadata: Equatable, Sendable {
  /// `issuer`, equal to the identifier that was asked for.
  package let issuer: IssuerIdentifier
  /// `authorization_response_iss_parameter_supported` (RFC 9207 §3).
  package let promisesIssuerParameter: Bool
  /// `require_pushed_authorization_requests` (RFC 9126 §5).
  package let requiresPushedAuthorization: Bool
  /// `token_endpoint_auth_methods_supported` lists `client_secret_post` and not `client_secret_basic`, which is what holds
  /// when it is absent (RFC 8414 §2).
  package let wantsSecretInBody: Bool
  /// `grant_types_supported` lists the device authorization grant (RFC 8628 §4).
  package let grantsDevices: Bool
  private var endpoints: [ServerEndpoint: WebURL] = [:]

  /// Reads metadata as fetched for `issuer`. An endpoint that it lacks may be named elsewhere, and is no error yet.
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
    promisesIssuerParameter = object["authorization_response_iss_parameter_supported"] == .bool(true)
    requiresPushedAuthorization = object["require_pushed_authorization_requests"] == .bool(true)
    wantsSecretInBody = Self.wantsSecretInBody(object["token_endpoint_auth_methods_supported"])
    grantsDevices = Self.lists(ClientMetadata.deviceCode, object["grant_types_supported"])
    for endpoint in ServerEndpoint.allCases {
      guard case .string(let text)? = object[endpoint.rawValue] else { continue }
      guard let url = policy.endpoint(text) else { throw .insecure(endpoint.rawValue) }
      endpoints[endpoint] = url
    }
    try Self.require("code", in: "response_types_supported", object)
    try Self.require(CodeChallenge.method, in: "code_challenge_methods_supported", object)
  }

  /// What is known of a server that publishes nothing: what is written out.
  package init(writtenOut endpoints: [ServerEndpoint: WebURL], of issuer: IssuerIdentifier) {
    self.issuer = issuer
    promisesIssuerParameter = false
    requiresPushedAuthorization = false
    wantsSecretInBody = false
    grantsDevices = false
    self.endpoints = endpoints
  }

  /// Where something is, or nil when the metadata does not say.
  package subscript(endpoint: ServerEndpoint) -> WebURL? { endpoints[endpoint] }

  /// The same with endpoints that are written out, which count more.
  package func overridden(by endpoints: [ServerEndpoint: WebURL]) -> Self {
    var changed = self
    changed.endpoints.merge(endpoints) { $1 }
    return changed
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

  private static func wantsSecretInBody(_ methods: JSONValue?) -> Bool {
    guard case .array(let methods)? = methods else { return false }
    return methods.contains(.string("client_secret_post")) && !methods.contains(.string("client_secret_basic"))
  }

  private static func lists(_ value: String, _ values: JSONValue?) -> Bool {
    guard case .array(let values)? = values else { return false }
    return values.contains(.string(value))
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
