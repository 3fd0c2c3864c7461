import Time
import Vault
package import Wire

/// `CheckSession`: asks the issuer whether the session lives, within the budget that all callers share.
package struct CheckSessionHandler: MethodHandler {
  package typealias Method = Wire.CheckSession

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let clock = services.clock
    let deadline = clock.now + .seconds(GetAccessTokenHandler.usualTimeout)
    return .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let session = try await vault.session(parameters.account)
        let check = try await session.checkSession(deadline: deadline)
        return Method.Reply(
          account: await session.account.name, active: check.isActive,
          checkedAgo: max(0, (clock.now - check.askedAt).wholeSeconds), claims: check.claims.map(Wire.Claim.init))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
