import Vault
package import Wire

/// `ReportRejected`: a caller's token was refused; at most one refresh per generation follows.
package struct ReportRejectedHandler: MethodHandler {
  package typealias Method = Wire.ReportRejected

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [vault = services.vault] () throws(ErrorReply) in
      let narrowing = try Narrowing.asked(parameters.scopes, parameters.resource)
      do throws(VaultError) {
        let session = try await vault.session(parameters.account)
        let generation = UInt64(clamping: parameters.generation)
        return Method.Reply(refreshing: await session.reportRejected(generation: generation, narrowing: narrowing))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
