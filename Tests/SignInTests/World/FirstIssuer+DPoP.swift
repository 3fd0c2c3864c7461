import Exchange
import Secrets
import Synchronization
import Vault

extension FirstIssuer: KeyBinding {
  func proven(_ request: OutgoingRequest, by key: SecretBox) throws(IssuerError) -> OutgoingRequest {
    let number = state.withLock { state in
      state.proofs += 1
      return state.proofs
    }
    return request.with(dpopProof: secret("proof \(number)"))
  }

  func proof(for target: DPoPTarget, _ accessToken: SecretBox, by key: SecretBox) throws(IssuerError) -> SecretBox {
    secret("proof")
  }

  func note(_ answer: HTTPAnswer) {}
}
