import Vault
package import Wire

/// `Monitor`: streams events until the caller goes away, or the one account that it watches is signed out.
package struct MonitorHandler: MethodHandler {
  package typealias Method = Wire.Monitor

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .stream { [vault = services.vault] (stream) throws(ErrorReply) in
      do throws(CancellationError) {
        let name = try await Self.name(vault, parameters.account)
        let events = vault.hub.watch()
        try await stream.send(Method.Reply(event: .watching))
        for await event in events where name == nil || event.account == nil || event.account == name {
          // Who watched one account has nothing more to hear once it is gone.
          if event.kind == .signedOut, name != nil { return Method.Reply(event) }
          try await stream.send(Method.Reply(event))
        }
      } catch {
        throw ErrorReply(.temporary(account: nil, message: "the caller went away", retryAfter: 1))
      }
      throw ErrorReply(.temporary(account: nil, message: "the daemon is stopping", retryAfter: 1))
    }
  }

  /// The name that events have, when one account is watched. One that is not there yet is watched by what was said.
  private static func name(_ vault: Vault, _ selector: String?) async throws(CancellationError) -> String? {
    guard let selector else { return nil }
    do throws(VaultError) { return try await vault.account(selector).name } catch { return selector }
  }
}

extension Wire.Monitor.Reply {
  fileprivate init(_ event: VaultEvent) {
    self.init(
      event: Wire.Event(rawValue: event.kind.rawValue), account: event.account,
      generation: event.generation.map(Int64.init(clamping:)), detail: event.detail)
  }
}
