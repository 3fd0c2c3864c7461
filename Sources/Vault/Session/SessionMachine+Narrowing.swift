import Time

/// What callers get that want a token for less than was granted. Such a token is cached for all who want the same; a
/// refresh for it is the account's one rotation like any other, and leaves the account's own access token alone.
extension SessionMachine {
  func asked(
    _ narrowing: Narrowing, beside main: Generation, _ request: AccessRequest, at now: BootInstant
  ) -> AskAction {
    if let refusal = refusal(narrowing, at: now) { return .refuse(refusal) }
    if let unknown = main.firstUngranted(narrowing.scopes) {
      let message = "\(unknown) was not granted at sign-in; almoner login --scope asks for it"
      return .refuse(.badRequest(field: "scopes", message: message))
    }
    let token = narrowed.token(narrowing)
    if let token, !request.isForced || now - token.receivedAt < forceInterval {
      switch Freshness.of(token, asked: request.minimumLife, at: now) {
      case .serve: return .answer(token, shorter: false)
      case .serveShorter: return .answer(token, shorter: true)
      case .due: break
      }
    }
    return due(narrowing, beside: main, present: token.flatMap { present($0, request, at: now) }, at: now)
  }

  /// A caller that joined is asked about again. Its own work is not begun a second time.
  func askedAgain(
    _ narrowing: Narrowing, beside main: Generation, _ request: AccessRequest, after ended: Work, at now: BootInstant
  ) -> AskAction {
    // Checking or storing brought nothing, and would bring nothing now.
    if ended == .verify && !main.isVerified || ended == .store && !main.isStored {
      return .refuse(refusal(at: now))
    }
    guard ended == .narrow(narrowing) else { return asked(narrowing, beside: main, request, at: now) }
    if let token = narrowed.token(narrowing), let action = present(token, request, at: now) { return action }
    return .refuse(refusal(narrowing, at: now) ?? refusal(at: now))
  }

  private func refusal(_ narrowing: Narrowing, at now: BootInstant) -> VaultError? {
    let field = narrowing.resource == nil ? "scopes" : "resource"
    return narrowed.refusal(narrowing, at: now).map { .badRequest(field: field, message: $0) }
  }

  private func present(_ token: Generation, _ request: AccessRequest, at now: BootInstant) -> AskAction? {
    let left = token.lifeLeft(at: now)
    return left > .zero ? .answer(token, shorter: left < request.minimumLife) : nil
  }

  private func due(
    _ narrowing: Narrowing, beside main: Generation, present: AskAction?, at now: BootInstant
  ) -> AskAction {
    guard main.isVerified else { return joinOrBegin(.verify) }
    guard main.refreshToken != nil else { return present ?? .refuse(.signInRequired(account: name, .cannotRenew)) }
    if work != nil { return .join }
    if backoff.wait(at: now) != nil { return present ?? .refuse(refusal(at: now)) }
    guard main.isStored else { return present ?? notStored(present: nil) }
    if let wait = narrowed.wait(at: now) {
      let message = "too many narrowed tokens were asked for"
      return present ?? .refuse(.temporary(account: name, message: message, retryAfter: Int(wait.wholeSeconds) + 1))
    }
    return .begin(.narrow(narrowing))
  }
}

extension Generation {
  /// The first of the scopes that was not granted, as far as the issuer said what was.
  fileprivate func firstUngranted(_ scopes: [String]) -> String? {
    guard let scope else { return nil }
    let granted = Set(scope.split(separator: " "))
    return scopes.first { !granted.contains(Substring($0)) }
  }
}
