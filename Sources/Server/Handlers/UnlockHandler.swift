import Vault
package import Wire

/// `Unlock`: asks the stores to open. Works while locked, of course.
package struct UnlockHandler: MethodHandler {
  package typealias Method = Wire.Unlock

  package let worksWhileLocked = true
  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        try await vault.unlock(parameters.account, passphrase: parameters.passphrase)
        return Method.Reply()
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
