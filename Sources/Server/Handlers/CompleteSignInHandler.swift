import SignIn
import Vault
package import Wire

/// `CompleteSignIn`: takes the URL that the browser was redirected to, from whoever pasted it.
package struct CompleteSignInHandler: MethodHandler {
  package typealias Method = Wire.CompleteSignIn

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [desk = services.desk] () throws(ErrorReply) in
      do throws(VaultError) {
        try await desk.complete(parameters.attempt, redirectedURL: parameters.redirectedUrl)
        return Method.Reply()
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
