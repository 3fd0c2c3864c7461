import Configuration
import SignIn
import Time
import Vault
package import Wire

/// `SignIn`: opens an attempt, streams the URL for the caller's own browser, and ends with who signed in.
///
/// A caller that goes away cancels the attempt it opened, but not one that it joined.
package struct SignInHandler: MethodHandler {
  package typealias Method = Wire.SignIn

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .stream { [services] (stream) throws(ErrorReply) in
      let existing = await Self.existing(services.vault, parameters)
      do throws(VaultError) {
        return try await Self.run(services, parameters, existing, stream)
      } catch {
        throw await FailedSignIn(services: services, parameters: parameters, existing: existing).reply(error)
      }
    }
  }

  private static func run(
    _ services: Services, _ parameters: Method.Parameters, _ existing: Account?, _ stream: ReplyStream<Method.Reply>
  ) async throws(VaultError) -> Method.Reply {
    let began = services.clock.wall
    let challenge = try AuthenticationChallenge(parameters)
    var plan = try await services.plan(SignInWish(parameters, existing), existing)
    if let challenge {
      if let existing { try services.vault.refuseOwnStepUp(existing, for: challenge) }
      plan.challenge = challenge
    }
    // Beside those that the account has: some issuers ask for more proof by scope.
    plan.scopes += (parameters.scopes ?? []).filter { !plan.scopes.contains($0) }
    let opened = try await services.desk.begin(plan, SignInDesk.Way(parameters))
    do throws(CancellationError) {
      try await stream.send(
        Method.Reply(
          stage: .attempt, attempt: opened.isHolder ? opened.attempt : nil, url: opened.url,
          flow: opened.flow.rawValue, userCode: opened.device?.userCode,
          verificationUri: opened.device?.verificationURI, expiresIn: opened.device?.expiresIn,
          account: opened.account, issuer: opened.issuer))
    } catch {
      await services.desk.cancel(opened)
      throw .signInFailed(.cancelled, message: "the caller went away")
    }
    do throws(VaultError) {
      let result = try await services.desk.outcome(opened.attempt)
      if let challenge {
        try services.vault.require(challenge, of: result.identity, account: result.account.name, began: began)
      }
      return Method.Reply(
        stage: .signedIn, account: result.account.name, issuer: result.identity.issuer,
        subject: result.identity.subject, claims: result.identity.claims.map(Wire.Claim.init), isNew: result.isNew)
    } catch {
      await services.desk.cancel(opened)
      throw error
    }
  }

  /// The account that is to be renewed, if the caller means one that is there.
  private static func existing(_ vault: Vault, _ parameters: Method.Parameters) async -> Account? {
    let registration = parameters.registration
    if parameters.account == nil, registration?.issuer != nil || registration?.publishableKey != nil { return nil }
    do throws(VaultError) { return try await vault.account(parameters.account) } catch { return nil }
  }
}

extension SignInWish {
  /// An account that is there may have been named by its id or its issuer's URL.
  init(_ parameters: Wire.SignIn.Parameters, _ existing: Account?) {
    let registration = parameters.registration
    self.init(
      account: existing?.name ?? parameters.account, issuer: registration?.issuer, kind: registration?.kind,
      publishableKey: registration?.publishableKey, clientID: registration?.clientId,
      redirectURI: registration?.redirectUri, scopes: registration?.scopes, store: registration?.store,
      locales: parameters.locales ?? [])
  }
}

extension SignInDesk.Way {
  fileprivate init(_ parameters: Wire.SignIn.Parameters) throws(VaultError) {
    self.init(flow: try Self.word(parameters.flow, "flow"), browser: try Self.word(parameters.browser, "browser"))
  }

  /// One of a few words, or nothing.
  private static func word<Word: RawRepresentable & CaseIterable>(
    _ text: String?, _ field: String
  ) throws(VaultError) -> Word? where Word.RawValue == String {
    guard let text else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .badRequest(field: field, message: Word.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return word
  }
}

extension AuthenticationChallenge {
  /// Nil when none is passed on.
  fileprivate init?(_ parameters: Wire.SignIn.Parameters) throws(VaultError) {
    try self.init(acrValues: parameters.acrValues ?? [], maxAge: parameters.maxAge)
    if isEmpty { return nil }
  }
}
