import OAuth
import Sodium
import Time
import Vault

/// What a person needs to sign in on any device (RFC 8628 §3.3). Nothing in it is secret.
package struct DevicePrompt: Sendable {
  /// What they type.
  package let userCode: String
  /// Where they type it, as the issuer has it: to be shown, not to be opened.
  package let verificationURI: String
  /// Seconds until the code runs out.
  package let expiresIn: Int64
}

/// The polling of an attempt.
struct DeviceAttempt {
  let codes: DeviceAuthorization
  var polling: Task<Void, Never>?
  /// Whether everybody gave it up, and the last poll is waited for.
  var isStopping = false

  func prompt(at now: BootInstant) -> DevicePrompt {
    DevicePrompt(
      userCode: codes.userCode, verificationURI: codes.verificationURI.text,
      expiresIn: max(0, (codes.expiry - now).wholeSeconds))
  }
}

/// The device authorization grant (RFC 8628) at the desk. Whoever asks for the same account sees the same code, and it is
/// polled as long as one of them waits.
extension SignInDesk {
  /// Whether the issuer has the grant, asked only where it matters.
  func offersDeviceGrant(_ plan: SignInPlan, _ way: Way) async throws(VaultError) -> Bool {
    switch (way.flow, way.browser) {
    case (.device, _): try await vault.offersDeviceGrant(plan.issuer)
    // Its request has no place for what a resource demanded (RFC 9470).
    case (nil, _) where plan.challenge != nil: false
    case (nil, .elsewhere), (nil, nil): try await vault.offersDeviceGrant(plan.issuer)
    case (nil, .here), (.loopback, _), (.relay, _), (.paste, _): false
    }
  }

  /// Gets the codes, and begins to poll. Nil when the issuer gives out none to us and nobody `isAsked` for them.
  func openDevice(_ plan: SignInPlan, isAsked: Bool) async throws(VaultError) -> Opened? {
    let draft = try await vault.prepareSignIn(plan)
    let codes: DeviceAuthorization
    do throws(VaultError) {
      codes = try await vault.requestDeviceCodes(draft)
    } catch {
      await vault.abandon(draft)
      if case .misconfigured = error, !isAsked { return nil }
      throw error
    }
    let id = Hexadecimal.encode(Random.bytes(16))
    var opened = Open(attempt: Attempt(draft: draft, promisesIssuer: false), flow: .device)
    opened.device = DeviceAttempt(codes: codes)
    open[id] = opened
    open[id]?.device?.polling = Task(executorPreference: loop) { await self.poll(id, draft, codes) }
    return shown(id, draft, codes)
  }

  /// One more caller for an attempt that shows a code; nil for one that shows none.
  func joinDevice(_ id: String) -> Opened? {
    guard let attempt = open[id], let device = attempt.device else { return nil }
    open[id]?.holders += 1
    return shown(id, attempt.attempt.draft, device.codes)
  }

  /// Stops the polling of an attempt that nobody waits for; false when it is another kind of attempt. It ends by itself:
  /// a poll that is on its way is waited for first.
  func stopPolling(_ id: String) -> Bool {
    guard let polling = open[id]?.device?.polling else { return false }
    open[id]?.device?.isStopping = true
    polling.cancel()
    return true
  }

  private func poll(_ id: String, _ draft: SignInDraft, _ codes: DeviceAuthorization) async {
    let outcome: Result<SignInResult, VaultError>
    do throws(VaultError) {
      outcome = .success(try await vault.redeem(draft, codes))
    } catch {
      outcome = .failure(error)
    }
    // Not in this task: it may have been cancelled, and what follows has to be done.
    Task(executorPreference: loop) { await self.end(id, outcome) }
  }

  private func shown(_ id: String, _ draft: SignInDraft, _ codes: DeviceAuthorization) -> Opened {
    Opened(
      attempt: id, url: codes.browserURL?.text, account: draft.account.name,
      issuer: draft.account.issuer.identifier, flow: .device, isHolder: true,
      device: DeviceAttempt(codes: codes).prompt(at: clock.now))
  }
}
