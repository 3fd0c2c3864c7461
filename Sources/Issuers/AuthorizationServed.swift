package import Exchange
import OAuth
package import Secrets
package import Vault

/// A kind of issuer that is an authorization server, with what it adds: all that does not depend on who signed in is the
/// server's, written once.
package protocol AuthorizationServed: KeyBinding {
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

  package func proven(_ request: OutgoingRequest, by key: SecretBox) throws(IssuerError) -> OutgoingRequest {
    try server.prover.proven(request, by: key)
  }

  package func proof(
    for target: DPoPTarget, _ accessToken: SecretBox, by key: SecretBox
  ) throws(IssuerError) -> SecretBox {
    try server.prover.proof(target.method, target.url, nonce: target.nonce, accessToken: accessToken, by: key)
  }

  package func note(_ answer: HTTPAnswer) { server.documents.note(answer) }

  package func sessionRequest(accessToken: SecretBox) -> OutgoingRequest? { nil }
}
