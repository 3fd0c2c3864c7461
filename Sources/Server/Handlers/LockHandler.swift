import Vault
package import Wire

/// `Lock`: lets flights end, then forgets access tokens, store keys and passphrases.
package struct LockHandler: MethodHandler {
  package typealias Method = Wire.Lock

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [vault = services.vault] () throws(ErrorReply) in
      await vault.lock()
      return Method.Reply()
    }
  }
}
