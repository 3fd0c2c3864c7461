import Time
import Vault
package import Wire

/// `GetAccessToken`: a token that is in memory and will do is answered at once, on the loop; otherwise the caller waits
/// for the refresh that all callers share.
package struct GetAccessTokenHandler: MethodHandler {
  package typealias Method = Wire.GetAccessToken

  /// How long a caller waits that does not say.
  static let usualTimeout: Int64 = 30

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let vault = services.vault
    let narrowing: Narrowing?
    do throws(ErrorReply) {
      narrowing = try .asked(parameters.scopes, parameters.resource)
    } catch {
      return .refused(error)
    }
    let request = AccessRequest(
      minimumLife: .seconds(parameters.minValid ?? 0), isForced: parameters.force,
      deadline: services.clock.now + .seconds(parameters.timeout ?? Self.usualTimeout), narrowing: narrowing)
    if parameters.acrValues != nil || parameters.maxAge != nil { return challenged(parameters, request) }
    switch vault.assumeIsolated({ $0.ready(parameters.account, request) }) {
    case .success(let grant?): return .now(Method.Reply(grant))
    case .failure(let error): return .refused(ErrorReply(error))
    case .success(nil): break
    }
    return .later { () throws(ErrorReply) in
      do throws(VaultError) {
        return Method.Reply(try await vault.accessToken(parameters.account, request))
      } catch {
        throw ErrorReply(error)
      }
    }
  }

  /// For a caller whose token a resource found too weak (RFC 9470). The sign-in is looked at first: when it does not
  /// suffice no refresh could mend it, and none is begun.
  private func challenged(_ parameters: Method.Parameters, _ request: AccessRequest) -> Outcome<Method.Reply> {
    .later { [vault = services.vault] () throws(ErrorReply) in
      do throws(VaultError) {
        let challenge = try AuthenticationChallenge(acrValues: parameters.acrValues ?? [], maxAge: parameters.maxAge)
        try await vault.require(challenge, of: parameters.account, narrowing: request.narrowing)
        return Method.Reply(try await vault.accessToken(parameters.account, request))
      } catch {
        throw ErrorReply(error)
      }
    }
  }
}

extension Wire.GetAccessToken.Reply {
  init(_ grant: AccessGrant) {
    self.init(
      accessToken: grant.accessToken, tokenType: grant.tokenType, account: grant.account, issuer: grant.issuer,
      expiresIn: Int64(grant.expiresIn), scope: grant.scope, generation: Int64(clamping: grant.generation),
      shorter: grant.isShorter, refreshed: grant.wasRefreshed,
      hindrance: grant.hindrance.map { ErrorReply.words($0) })
  }
}
