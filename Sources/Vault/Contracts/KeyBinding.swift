package import Exchange
import OAuth
package import Secrets

/// An issuer that binds tokens to a key when asked for it (RFC 9449). Kinds that can never do so do not conform.
///
/// A nonce that the issuer wants in proofs is learned from every answer that is read, and repeated until the next one.
package protocol KeyBinding: Issuer {
  /// `request` with a proof, made for it, that its sender holds `key`.
  func proven(_ request: OutgoingRequest, by key: SecretBox) throws(IssuerError) -> OutgoingRequest

  /// A proof for a request that somebody else sends to a resource with `accessToken` (RFC 9449 §7).
  func proof(for target: DPoPTarget, _ accessToken: SecretBox, by key: SecretBox) throws(IssuerError) -> SecretBox

  /// Learns the nonce of an answer that goes to nobody else here.
  func note(_ answer: HTTPAnswer)
}

extension Issuer {
  /// `request` as it is, or with a proof when there is a key.
  func proven(_ request: OutgoingRequest, by key: SecretBox?) throws(IssuerError) -> OutgoingRequest {
    guard let key else { return request }
    guard let binding = self as? any KeyBinding else {
      throw .configuration("this kind of issuer does not bind tokens to a key")
    }
    return try binding.proven(request, by: key)
  }

  /// All that has to hold before tokens are served: what this kind of issuer checks (``verify(_:_:)``), and that they are
  /// bound to the key they have to be bound to.
  func check(_ tokens: TokenSet, _ expectation: Expectation) async throws(IssuerError) -> VerifiedIdentity {
    guard expectation.isBound(tokens) else { throw .refused(Expectation.unbound) }
    return try await verify(tokens, expectation)
  }
}

extension Expectation {
  static let unbound = "the issuer did not bind the tokens to the key, as dpop=true demands"

  /// Whether the issuer says of `tokens` that they are bound to the key, where there is one: by their type, at a sign-in and
  /// at every refresh (RFC 9449 §5).
  func isBound(_ tokens: TokenSet) -> Bool { dpopKey == nil || tokens.tokenType.lowercased() == "dpop" }
}

extension TokenAnswer {
  /// What the answer means to whoever proves by `key`. Without one no repetition brings what the issuer wants.
  func meant(for key: SecretBox?) -> Self {
    guard case .challenged = self, key == nil else { return self }
    return .misconfigured(TokenEndpointAnswer.wantsProof)
  }
}
