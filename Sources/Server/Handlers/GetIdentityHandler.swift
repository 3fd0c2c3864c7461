import Vault
package import Wire

/// `GetIdentity`: who is signed in, as the verified ID token of the sign-in said.
package struct GetIdentityHandler: MethodHandler {
  package typealias Method = Wire.GetIdentity

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let session = try await vault.session(parameters.account)
        let identity = try await session.verifiedIdentity()
        return Method.Reply(
          account: await session.account.name, issuer: identity.issuer, subject: identity.subject,
          claims: identity.claims.map(Wire.Claim.init))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}
