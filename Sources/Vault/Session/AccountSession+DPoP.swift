import Exchange
package import Secrets

extension AccountSession {
  /// The request that refreshes, with a proof where the tokens are bound to a key.
  func refreshRequest(
    _ token: SecretBox, _ narrowing: Narrowing? = nil
  ) async throws(IssuerError) -> OutgoingRequest {
    let issuer = try issuer()
    return try issuer.proven(
      try await issuer.refreshRequest(refreshToken: token, narrowing: narrowing), by: dpopKey)
  }

  /// What tokens that a refresh brought have to agree with.
  var expectation: Expectation { Expectation(nonce: nil, subject: identity?.subject, dpopKey: dpopKey) }

  /// An access token, and a proof for one request with it. The key is the account's for as long as it is signed in, so
  /// any of its tokens goes with it.
  package func proof(
    _ target: DPoPTarget, _ request: AccessRequest
  ) async throws(VaultError) -> (grant: AccessGrant, proof: SecretBox) {
    let grant = try await accessToken(request)
    guard let key = dpopKey else {
      throw .unsupported(
        account: account.name,
        message: "it has no tokens bound to a key; set dpop=true for its issuer, and sign in anew")
    }
    do throws(IssuerError) {
      guard let binding = try issuer() as? any KeyBinding else {
        throw .configuration("this kind of issuer does not bind tokens to a key")
      }
      return (grant, try binding.proof(for: target, grant.accessToken, by: key))
    } catch {
      throw Vault.error(error, account: account.name)
    }
  }
}

extension Vault {
  /// An access token of the account a caller means, and a proof for one request with it (RFC 9449 §7.1).
  package func proof(
    _ selector: String?, _ target: DPoPTarget, _ request: AccessRequest
  ) async throws(VaultError) -> (grant: AccessGrant, proof: SecretBox) {
    guard !isLocked else { throw .locked(account: selector) }
    guard !isDraining else { throw .temporary(account: selector, message: "the daemon is stopping", retryAfter: 1) }
    return try await session(selector).proof(target, request)
  }
}
