import Exchange
import OAuth
import Secrets
import Vault

/// Shows the issuer which client asks (RFC 6749 §2.3): a public one by its name, one with a secret by both.
///
/// The secret is read for each request and kept nowhere, so that a file that changed counts at once.
struct ClientAuthentication: Sendable {
  private let profile: IssuerProfile
  private let clientID: String
  private let readSecret: ReadSecret

  init(_ profile: IssuerProfile, clientID: String, readSecret: @escaping ReadSecret) {
    self.profile = profile
    self.clientID = clientID
    self.readSecret = readSecret
  }

  /// `request`, which does not name the client yet, as a form for `endpoint`.
  func post(
    _ request: TokenRequest, to endpoint: WebURL, secretInBody: Bool
  ) async throws(IssuerError) -> OutgoingRequest {
    guard let file = profile.options.clientSecretFile else { return try form(named(request), endpoint) }
    let secret = try await readSecret(file)
    let isInBody =
      switch profile.options.clientAuthentication {
      case .auto: secretInBody
      case .basic: false
      case .post: true
      }
    if isInBody {
      return try form(named(request).with(Parameter("client_secret", secret: secret)), endpoint)
    }
    // The name is in the credentials; a request that needs it as its own parameter brings it.
    return try form(request, endpoint, basic: try credentials(secret))
  }

  private func credentials(_ secret: SecretBox) throws(IssuerError) -> SecretBox {
    do throws(SecretMemoryExhausted) {
      return try BasicCredentials(clientID: clientID, secret: secret).text
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }

  private func named(_ request: TokenRequest) -> TokenRequest {
    request.parameters.contains { $0.name == "client_id" } ? request : request.with(Parameter("client_id", clientID))
  }

  private func form(
    _ request: TokenRequest, _ endpoint: WebURL, basic: SecretBox? = nil
  ) throws(IssuerError) -> OutgoingRequest {
    do throws(SecretMemoryExhausted) {
      return OutgoingRequest(
        .post, endpoint.text, basic: basic, contentType: .form, body: try request.formBody(), egress: profile.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
  }
}
