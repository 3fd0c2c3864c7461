import Time
import Vault
package import Wire

/// `GetMonitoringToken`: a device credential, from memory or asked for once for all who wait.
package struct GetMonitoringTokenHandler: MethodHandler {
  package typealias Method = Wire.GetMonitoringToken

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let deadline = services.clock.now + .seconds(GetAccessTokenHandler.usualTimeout)
    return .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let grant = try await vault.monitoringToken(parameters.account, deadline: deadline)
        return Method.Reply(
          monitoringToken: grant.token, account: grant.account, issuer: grant.issuer,
          expiresIn: Int64(grant.expiresIn))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
