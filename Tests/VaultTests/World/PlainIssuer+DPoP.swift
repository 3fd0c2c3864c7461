import Exchange
import Secrets
import Synchronization
import Vault

/// The plain issuer's proofs are words: `proof NUMBER KEY`, and for a resource what it is for.
extension PlainIssuer: KeyBinding {
  func proven(_ request: OutgoingRequest, by key: SecretBox) throws(IssuerError) -> OutgoingRequest {
    let number = proofs.withLock { count in
      count += 1
      return count
    }
    return request.with(dpopProof: secret("proof \(number) \(text(key) ?? "")"))
  }

  func proof(for target: DPoPTarget, _ accessToken: SecretBox, by key: SecretBox) throws(IssuerError) -> SecretBox {
    secret("\(target.method) \(target.url) \(target.nonce ?? "-") \(text(accessToken) ?? "") \(text(key) ?? "")")
  }

  func note(_ answer: HTTPAnswer) {}
}
