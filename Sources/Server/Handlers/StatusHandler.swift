import Glibc
import Secrets
import Vault
package import Wire

/// `Status`: how the daemon is, and what it cannot do here. Works while locked.
package struct StatusHandler: MethodHandler {
  package typealias Method = Wire.Status

  package let worksWhileLocked = true
  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [services] () throws(ErrorReply) in
      let isLocked = await services.vault.isLocked
      let strays = parameters.strays && !isLocked ? await services.vault.strays().map(Wire.Stray.init) : nil
      return Method.Reply(
        version: services.version, pid: Int64(getpid()), locked: isLocked, memoryLocked: SecretArena.shared.isLocked,
        confined: await services.isConfined(), accounts: await services.vault.list().map(Wire.Account.init),
        notes: await services.notes(), strays: strays)
    }
  }
}
