import Vault
package import Wire

/// `List`: the accounts as they are now. Nothing is read from a store for it.
package struct ListHandler: MethodHandler {
  package typealias Method = Wire.List

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .now(Method.Reply(accounts: services.vault.assumeIsolated { $0.list() }.map(Wire.Account.init)))
  }
}
