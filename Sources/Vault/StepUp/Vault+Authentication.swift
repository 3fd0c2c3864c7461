package import Time

extension Vault {
  /// Checks the sign-in behind an account's tokens against a challenge, and throws ``VaultError/stepUpRequired`` when it
  /// does not suffice.
  ///
  /// What counts is the ID token of the sign-in: a refresh proves nothing of the person, so none is begun for this, however
  /// often a caller asks. A narrowing that cannot be had is refused before: nobody is to prove more for nothing.
  package func require(
    _ challenge: AuthenticationChallenge, of selector: String?, narrowing: Narrowing? = nil
  ) async throws(VaultError) {
    guard !isLocked else { throw .locked(account: selector) }
    let session = try session(selector)
    let account = await session.account
    try refuseOwnStepUp(account, for: challenge)
    try await session.requireNarrowing(narrowing)
    let identity = try await session.verifiedIdentity()
    if let why = challenge.shortfall(of: identity, now: tools.clock.wall) {
      throw .stepUpRequired(account: account.name, challenge, why)
    }
  }

  /// Checks a sign-in that was made because of a challenge and began at `began`: what it asked for has to have been done.
  nonisolated package func require(
    _ challenge: AuthenticationChallenge, of identity: VerifiedIdentity, account: String, began: WallInstant
  ) throws(VaultError) {
    let leeway = AuthenticationChallenge.leeway
    if let why = challenge.shortfall(of: identity, now: began, leeway: leeway) {
      throw .stepUpRequired(
        account: account, challenge, "although the person has just signed in for it: \(why)")
    }
  }

  /// An issuer with a step-up of its own takes no challenge of OpenID's.
  package nonisolated func refuseOwnStepUp(
    _ account: Account, for challenge: AuthenticationChallenge
  ) throws(VaultError) {
    let issuer: any Issuer
    do { issuer = try tools.makeIssuer(account.issuer) } catch {
      throw .misconfigured(account: account.name, message: "the issuer cannot be spoken to")
    }
    guard !(issuer is any StepUpResource) else {
      throw .badRequest(
        field: challenge.acrValues.isEmpty ? "maxAge" : "acrValues",
        message: "this issuer has a step-up of its own: almoner step-up \(account.name)")
    }
  }
}
