import Time
import Vault
package import Wire

/// `StepUp`: asks whether an action needs proof, streams the page for the caller's own browser, and ends when the issuer
/// approved.
///
/// A caller that goes away ends it here; at the issuer it expires by itself.
package struct StepUpHandler: MethodHandler {
  package typealias Method = Wire.StepUp

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let deadline = services.clock.now + .seconds(GetAccessTokenHandler.usualTimeout)
    return .stream { [services] (stream) throws(ErrorReply) in
      do throws(VaultError) {
        let wish = try StepUpWish(
          action: parameters.action, amount: parameters.amount, currency: parameters.currency,
          returnTo: parameters.returnTo)
        let (account, opened) = try await services.stepUps.begin(parameters.account, wish, deadline: deadline)
        guard let opened else { return Method.Reply(stage: .notRequired, account: account.name) }
        do throws(CancellationError) {
          try await stream.send(Method.Reply(stage: .verify, account: account.name, url: opened.url))
        } catch {
          throw .temporary(account: account.name, message: "the caller went away", retryAfter: 1)
        }
        try await services.stepUps.outcome(of: opened)
        return Method.Reply(stage: .approved, account: account.name)
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
