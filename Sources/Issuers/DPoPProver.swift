import Exchange
import JOSE
import OAuth
import Secrets
import Time
import Vault

/// Makes the proofs that an issuer and its resources want (RFC 9449), with the issuer's nonce and by its clock.
struct DPoPProver: Sendable {
  let documents: PublishedDocuments
  let clock: any Clock

  /// `request` with a proof; one that carries an access token has it bound to that token (§7).
  func proven(_ request: OutgoingRequest, by key: SecretBox) throws(IssuerError) -> OutgoingRequest {
    let proof = try proof(
      request.method.rawValue, request.url, nonce: documents.dpopNonce, accessToken: request.bearer, by: key)
    return request.with(dpopProof: proof)
  }

  /// `dpop_jkt` (§10).
  static func thumbprint(_ key: SecretBox) throws(IssuerError) -> String {
    do throws(SigningError) { return try DPoPKey(key).thumbprint } catch {
      throw .temporary("the key that tokens are bound to cannot be used")
    }
  }

  func proof(
    _ method: String, _ url: String, nonce: String?, accessToken: SecretBox?, by key: SecretBox
  ) throws(IssuerError) -> SecretBox {
    do throws(SigningError) {
      return try DPoPKey(key).proof(
        method, url, issuedAt: documents.issuerTime(clock.wall), nonce: nonce, accessToken: accessToken)
    } catch {
      throw .temporary("no proof of possession could be signed")
    }
  }
}
