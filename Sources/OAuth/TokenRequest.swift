import JSON
package import Secrets

/// A token request (RFC 6749 §4.1.3, §6): its parameters, and how they become a body.
package struct TokenRequest: Sendable {
  package let parameters: [Parameter]

  package init(_ parameters: [Parameter]) { self.parameters = parameters }

  /// Redeems a code (RFC 6749 §4.1.3 with RFC 7636 §4.5), for `resource` if there is one (RFC 8707 §2.2). `client_id` is
  /// left out when it is not known.
  package static func code(
    _ code: SecretBox, verifier: SecretBox, redirectURI: String, clientID: String?, resource: String? = nil
  ) -> TokenRequest {
    TokenRequest(
      [
        Parameter("grant_type", "authorization_code"), Parameter("code", secret: code),
        Parameter("code_verifier", secret: verifier), Parameter("redirect_uri", redirectURI),
      ] + (resource.map { [Parameter("resource", $0)] } ?? []) + (clientID.map { [Parameter("client_id", $0)] } ?? []))
  }

  /// Refreshes (RFC 6749 §6): for `scopes`, or with none for the scope that was granted; for `resource` (RFC 8707 §2.2),
  /// or for wherever the grant reaches.
  package static func refresh(
    _ refreshToken: SecretBox, clientID: String?, scopes: [String] = [], resource: String? = nil
  ) -> TokenRequest {
    TokenRequest(
      [Parameter("grant_type", "refresh_token"), Parameter("refresh_token", secret: refreshToken)]
        + (scopes.isEmpty ? [] : [Parameter("scope", scopes.joined(separator: " "))])
        + (resource.map { [Parameter("resource", $0)] } ?? [])
        + (clientID.map { [Parameter("client_id", $0)] } ?? []))
  }

  /// Revokes a token (RFC 7009 §2.1).
  package static func revocation(of token: SecretBox, hint: String, clientID: String?) -> TokenRequest {
    TokenRequest(
      [Parameter("token", secret: token), Parameter("token_type_hint", hint)]
        + (clientID.map { [Parameter("client_id", $0)] } ?? []))
  }

  /// The same with one more parameter.
  package func with(_ parameter: Parameter) -> TokenRequest { TokenRequest(parameters + [parameter]) }

  /// The body as `application/x-www-form-urlencoded`.
  package func formBody() throws(SecretMemoryExhausted) -> SecretBox {
    var buffer = WipedBuffer()
    parameters.appendForm(to: &buffer)
    return SecretBox(try buffer.takeSecret())
  }

  /// The body as one JSON object of strings.
  package func jsonBody() throws(SecretMemoryExhausted) -> SecretBox {
    var writer = JSONWriter()
    writer.object { writer in
      for parameter in parameters {
        switch parameter.value {
        case .plain(let text): writer.member(parameter.name, text)
        case .secret(let box): writer.member(parameter.name, secret: box)
        }
      }
    }
    var buffer = writer.finish()
    return SecretBox(try buffer.takeSecret())
  }
}
