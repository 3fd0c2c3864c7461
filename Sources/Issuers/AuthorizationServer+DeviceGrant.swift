package import Exchange
import OAuth
package import Secrets
package import Vault

/// The device authorization grant (RFC 8628), for every kind of issuer that is an authorization server. It has no place for
/// a nonce, and PKCE is not used.
extension AuthorizationServer {
  func offersDeviceGrant() async throws(IssuerError) -> Bool {
    try await metadata.endpoint(.deviceAuthorization) != nil
  }

  func deviceCodesRequest(scopes: [String]) async throws(IssuerError) -> OutgoingRequest {
    let endpoint = try await metadata.required(.deviceAuthorization)
    return try await post(.deviceCodes(scopes: scopes, clientID: clientID), to: endpoint)
  }

  func deviceRequest(deviceCode: SecretBox) async throws(IssuerError) -> OutgoingRequest {
    try await post(.device(deviceCode, clientID: clientID), to: try await metadata.required(.token))
  }

  /// Who signed in, asked of an OpenID issuer that sent no ID token: RFC 8628 knows of none.
  func deviceUser(_ accessToken: SecretBox, _ dpopKey: SecretBox?) async throws(IssuerError) -> VerifiedIdentity {
    guard let endpoint = try await metadata.endpoint(.userInfo) else {
      throw .refused("the issuer granted no ID token and has no UserInfo endpoint, so who signed in is not known")
    }
    let person = try await UserInfo(self, endpoint).ask(accessToken, dpopKey: dpopKey)
    return VerifiedIdentity(issuer: identifier.text, subject: person.subject, claims: person.claims)
  }
}

extension OpenIDIssuer: DeviceGranting {
  package func offersDeviceGrant() async throws(IssuerError) -> Bool { try await server.offersDeviceGrant() }

  package func deviceCodesRequest(scopes: [String]) async throws(IssuerError) -> OutgoingRequest {
    try await server.deviceCodesRequest(scopes: scopes.contains("openid") ? scopes : ["openid"] + scopes)
  }

  package func deviceRequest(deviceCode: SecretBox) async throws(IssuerError) -> OutgoingRequest {
    try await server.deviceRequest(deviceCode: deviceCode)
  }
}

extension OAuthIssuer: DeviceGranting {
  package func offersDeviceGrant() async throws(IssuerError) -> Bool { try await server.offersDeviceGrant() }

  package func deviceCodesRequest(scopes: [String]) async throws(IssuerError) -> OutgoingRequest {
    try await server.deviceCodesRequest(scopes: scopes)
  }

  package func deviceRequest(deviceCode: SecretBox) async throws(IssuerError) -> OutgoingRequest {
    try await server.deviceRequest(deviceCode: deviceCode)
  }
}
