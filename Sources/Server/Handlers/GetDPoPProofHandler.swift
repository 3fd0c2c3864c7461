import Time
import Vault
package import Wire

/// `GetDPoPProof`: an access token as `GetAccessToken` hands it out, and a proof for one request with it.
package struct GetDPoPProofHandler: MethodHandler {
  package typealias Method = Wire.GetDPoPProof

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let timeout = parameters.timeout ?? GetAccessTokenHandler.usualTimeout
    let deadline = services.clock.now + .seconds(timeout)
    return .later { [vault = services.vault] () throws(ErrorReply) in
      let narrowing = try Narrowing.asked(parameters.scopes, parameters.resource)
      do throws(VaultError) {
        let target = try DPoPTarget(method: parameters.method, url: parameters.url, nonce: parameters.nonce)
        let (grant, proof) = try await vault.proof(
          parameters.account, target,
          AccessRequest(
            minimumLife: .seconds(parameters.minValid ?? 0), deadline: deadline, narrowing: narrowing))
        return Method.Reply(Wire.GetAccessToken.Reply(grant), proof: proof)
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
