import Time
import Vault
package import Wire

/// `Refresh`: replaces the tokens now, at most once per account in the force interval.
package struct RefreshHandler: MethodHandler {
  package typealias Method = Wire.Refresh

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let request = AccessRequest(
      isForced: true,
      deadline: services.clock.now + .seconds(parameters.timeout ?? GetAccessTokenHandler.usualTimeout))
    return .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let grant = try await vault.accessToken(parameters.account, request)
        if let hindrance = grant.hindrance { throw hindrance }
        return Method.Reply(
          account: grant.account, generation: Int64(clamping: grant.generation), expiresIn: Int64(grant.expiresIn),
          refreshed: grant.wasRefreshed)
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
