import Exchange
import JSON
import Secrets
package import Time

/// What the issuer last said of the session, and when it was really asked.
package struct SessionCheck: Equatable, Sendable {
  package let isActive: Bool
  package let claims: [VerifiedIdentity.Claim]
  package let askedAt: BootInstant
}

extension AccountSession {
  /// Who is signed in. Read from the store when it is not in memory; what bars the store is said.
  package func verifiedIdentity() async throws(VaultError) -> VerifiedIdentity {
    if let identity { return identity }
    // Asking for a token loads the account, and says why when it cannot.
    _ = try await accessToken(AccessRequest(deadline: tools.clock.now + .seconds(30)))
    guard let identity else { throw .signInRequired(account: account.name, .missing) }
    return identity
  }

  /// An answer this young is given to every caller.
  static let checkLife = Duration.seconds(10)

  /// Asks the issuer whether the session lives, within its budget. Callers that come meanwhile share the answer: a slow
  /// issuer must not be asked so often that a refresh finds no courier.
  package func checkSession(deadline: BootInstant) async throws(VaultError) -> SessionCheck {
    if let checking { return try await checking.value.get() }
    let check = Task(executorPreference: tools.executor) { () -> Result<SessionCheck, VaultError> in
      do throws(VaultError) {
        return .success(try await self.askForSession(deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    checking = check
    let result = await check.value
    checking = nil
    return try result.get()
  }

  private func askForSession(deadline: BootInstant) async throws(VaultError) -> SessionCheck {
    let now = tools.clock.now
    if let lastCheck, now - lastCheck.askedAt < Self.checkLife { return lastCheck }
    let grant = try await accessToken(AccessRequest(deadline: deadline))
    guard let request = try sessionRequest(grant) else {
      throw .unsupported(account: account.name, message: "this issuer has no session resource")
    }
    guard tools.budgets.take(.caller, issuer: account.issuer.identifier, at: now) else {
      if let lastCheck { return lastCheck }
      throw .temporary(
        account: account.name, message: "the issuer's budget for session checks is spent", retryAfter: 30)
    }
    do {
      return try read(await tools.carrier.exchange(request))
    } catch let error as CarrierError {
      throw .temporary(account: account.name, message: error.text, retryAfter: 5)
    } catch let error as VaultError {
      throw error
    } catch {
      throw .temporary(account: account.name, message: "the session could not be checked", retryAfter: 5)
    }
  }

  private func sessionRequest(_ grant: AccessGrant) throws(VaultError) -> OutgoingRequest? {
    do {
      return try issuer().sessionRequest(accessToken: grant.accessToken)
    } catch {
      throw .misconfigured(account: account.name, message: "the issuer cannot be spoken to")
    }
  }

  private func read(_ answer: HTTPAnswer) throws(VaultError) -> SessionCheck {
    switch answer.status {
    case 200:
      // Whatever stands between may answer 200 as well; only the session resource speaks of a session.
      guard let claims = Self.claims(answer.body) else {
        throw .temporary(account: account.name, message: "the issuer's answer cannot be read", retryAfter: 5)
      }
      let check = SessionCheck(isActive: true, claims: claims, askedAt: tools.clock.now)
      lastCheck = check
      return check
    case 401:
      // The token was good a moment ago: the session was ended elsewhere. A refresh says so for certain, and then to
      // every caller.
      beginRefresh()
      let check = SessionCheck(isActive: false, claims: [], askedAt: tools.clock.now)
      lastCheck = check
      return check
    case 429:
      // Somebody else at this address uses the same budget.
      if let lastCheck { return lastCheck }
      let wait = max(1, min(answer.retryAfter ?? 30, Backoff.retryAfterCap.wholeSeconds))
      throw .temporary(
        account: account.name, message: "the issuer's budget for session checks is spent", retryAfter: Int(wait))
    case let status:
      throw .temporary(account: account.name, message: "the issuer answered with status \(status)", retryAfter: 5)
    }
  }

  /// The members that are fit to be shown: texts, numbers and truth values at the top, and lists of texts, with spaces
  /// between. Anything else is left out. Nil when the answer is no object.
  private static func claims(_ body: SecretBox) -> [VerifiedIdentity.Claim]? {
    let object: JSONObject
    do { object = try JSONReader.parseObject(body, limits: .answer) } catch { return nil }
    return object.members.compactMap { member in
      switch member.value {
      case .string(let text): VerifiedIdentity.Claim(name: member.name, value: text)
      case .integer(let number): VerifiedIdentity.Claim(name: member.name, value: String(number))
      case .bool(let truth): VerifiedIdentity.Claim(name: member.name, value: truth ? "true" : "false")
      case .array(let values): list(values).map { VerifiedIdentity.Claim(name: member.name, value: $0) }
      case .null, .number, .secret, .object: nil
      }
    }
  }

  private static func list(_ values: [JSONValue]) -> String? {
    let texts = values.compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
    return texts.count == values.count && !texts.isEmpty ? texts.joined(separator: " ") : nil
  }
}

extension JSONLimits {
  /// An issuer's answer to a session check.
  fileprivate static let answer = JSONLimits(
    bytes: HTTPAnswer.maximumBody, depth: 8, stringBytes: 4096, members: 128, elements: 256)
}
