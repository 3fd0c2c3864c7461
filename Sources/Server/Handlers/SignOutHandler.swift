import Vault
package import Wire

/// `SignOut`: ends the session at the issuer and wipes what is here, for one account or all. Works while locked.
package struct SignOutHandler: MethodHandler {
  package typealias Method = Wire.SignOut

  package let worksWhileLocked = true
  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    if parameters.all, parameters.account != nil {
      return .refused(ErrorReply(.badRequest(field: "all", message: "name one account, or all")))
    }
    return .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let reports = parameters.all ? try await vault.signOutAll() : [try await vault.signOut(parameters.account)]
        return Method.Reply(accounts: reports.map(Wire.SignedOut.init))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
