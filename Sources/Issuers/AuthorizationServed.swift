package import Exchange
import OAuth
package import Secrets
package import Vault

/// A kind of issuer that is an authorization server, with what it adds: all that does not depend on who signed in is the
/// server's, written once.
package protocol AuthorizationServed: Issuer {
  var server: AuthorizationServer { get }
}

extension AuthorizationServed {
  package func promisesIssuerParameter() async throws(IssuerError) -> Bool {
    try await server.metadata.current().promisesIssuerParameter
  }

  package func codeRequest(
    code: SecretBox, attempt: AuthorizationAttempt
  ) async throws(IssuerError) -> OutgoingRequest {
    try await server.codeRequest(code: code, attempt: attempt)
  }

  package func refreshRequest(
    refreshToken: SecretBox, narrowing: Narrowing?
  ) async throws(IssuerError) -> OutgoingRequest {
    try await server.refreshRequest(refreshToken: refreshToken, narrowing: narrowing)
  }

  package func read(_ answer: HTTPAnswer, previous: TokenSet?) -> TokenAnswer {
    server.read(answer, previous: previous)
  }

  package func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { nil }
}
