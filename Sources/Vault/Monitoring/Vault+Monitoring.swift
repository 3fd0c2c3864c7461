import Exchange
package import Time

extension Vault {
  /// A device credential: the one in memory until shortly before its end, then a new one, asked for once for all callers.
  package func monitoringToken(
    _ selector: String?, deadline: BootInstant
  ) async throws(VaultError) -> MonitoringGrant {
    guard !isLocked else { throw .locked(account: selector) }
    guard !isDraining else { throw .temporary(account: selector, message: "the daemon is stopping", retryAfter: 1) }
    let account = try account(selector)
    if let held = monitoring.fresh(account.id, at: tools.clock.now) { return grant(held, account) }
    if let asking = monitoring.asking(account.id) { return try await asking.value.get() }
    let number = monitoring.number()
    let asking = Task(executorPreference: tools.executor) { () -> Result<MonitoringGrant, VaultError> in
      do throws(VaultError) {
        return .success(try await self.fetchMonitoringToken(account, number, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    monitoring.began(account.id, number, asking)
    return try await asking.value.get()
  }

  private func fetchMonitoringToken(
    _ account: Account, _ number: UInt64, deadline: BootInstant
  ) async throws(VaultError) -> MonitoringGrant {
    let credential: MonitoringTokens.Held
    do throws(VaultError) {
      credential = try await askForMonitoringToken(account, deadline: deadline)
    } catch {
      _ = monitoring.ended(account.id, number, with: nil)
      throw error
    }
    guard monitoring.ended(account.id, number, with: credential) else {
      // Signed out or locked while it was on its way.
      if isLocked { throw .locked(account: account.name) }
      throw .unknownAccount(account.name)
    }
    return grant(credential, account)
  }

  private func askForMonitoringToken(
    _ account: Account, deadline: BootInstant
  ) async throws(VaultError) -> MonitoringTokens.Held {
    let resource = try monitoringResource(account)
    var mayReplace = true
    while true {
      let access = try await accessToken(account.id.text, AccessRequest(deadline: deadline))
      let answer: HTTPAnswer
      do {
        answer = try await tools.carrier.exchange(resource.monitoringTokenRequest(accessToken: access.accessToken))
      } catch let error as CarrierError {
        throw .temporary(account: account.name, message: error.text, retryAfter: 5)
      } catch {
        throw .temporary(account: account.name, message: "the credential could not be asked for", retryAfter: 5)
      }
      switch resource.readMonitoringToken(answer) {
      case .granted(let token, let lifetime):
        return MonitoringTokens.Held(token: token, lifetime: lifetime, expiry: tools.clock.now + lifetime)
      case .notEnabled: throw .monitoringUnavailable(account: account.name)
      case .unauthorized:
        guard mayReplace else {
          throw .temporary(account: account.name, message: "the issuer refused the token", retryAfter: 5)
        }
        mayReplace = false
        try await replaceRejected(access, account, deadline: deadline)
      case .later(let why, let retryAfter):
        throw .temporary(account: account.name, message: why, retryAfter: Int(max(1, min(retryAfter ?? 5, 3600))))
      case .refused(let why): throw .denied(account: account.name, message: why)
      case .misconfigured(let why): throw .misconfigured(account: account.name, message: why)
      }
    }
  }

  /// A token was refused. At most one refresh follows, and none when it was replaced meanwhile anyway.
  func replaceRejected(
    _ grant: AccessGrant, _ account: Account, deadline: BootInstant
  ) async throws(VaultError) {
    let present = try await accessToken(account.id.text, AccessRequest(deadline: deadline))
    guard present.generation == grant.generation else { return }
    _ = try await accessToken(account.id.text, AccessRequest(isForced: true, deadline: deadline))
  }

  private func monitoringResource(_ account: Account) throws(VaultError) -> any MonitoringResource {
    let issuer: any Issuer
    do { issuer = try tools.makeIssuer(account.issuer) } catch {
      throw .misconfigured(account: account.name, message: "the issuer cannot be spoken to")
    }
    guard let resource = issuer as? any MonitoringResource else {
      throw .unsupported(account: account.name, message: "this issuer has no device credentials")
    }
    return resource
  }

  private func grant(_ held: MonitoringTokens.Held, _ account: Account) -> MonitoringGrant {
    MonitoringGrant(
      account: account.name, issuer: account.issuer.identifier, token: held.token,
      expiresIn: Int(max(.zero, held.expiry - tools.clock.now).wholeSeconds))
  }
}
