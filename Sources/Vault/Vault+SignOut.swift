import Sodium
import Time

extension Vault {
  /// Signs one account out. The mark is durable before anything else happens, and goes when all is wiped.
  package func signOut(_ selector: String?) async throws(VaultError) -> SignOutReport {
    try await signOut(account(selector), isQuiet: false)
  }

  /// Signs everybody out; accounts do not wait for each other.
  package func signOutAll() async throws(VaultError) -> [SignOutReport] {
    let leaving = accounts.map { account in
      Task(executorPreference: tools.executor) { () -> Result<SignOutReport, VaultError> in
        do throws(VaultError) {
          return .success(try await self.signOut(account, isQuiet: false))
        } catch {
          return .failure(error)
        }
      }
    }
    var reports: [SignOutReport] = []
    for task in leaving { reports.append(try await task.value.get()) }
    return reports
  }

  func signOut(_ account: Account, isQuiet: Bool) async throws(VaultError) -> SignOutReport {
    try await changeIndex { entries in
      for index in entries.indices where entries[index].account.id == account.id { entries[index].phase = .signingOut }
    }
    monitoring.forget(account.id)
    let session = session(of: account)
    var report = await session.signOut()
    if report.isWiped {
      dropSession(of: account)
      do throws(VaultError) {
        try await changeIndex { $0.removeAll { $0.account.id == account.id } }
      } catch {
        report = report.leavingName
      }
    }
    if !report.isWiped { finishLater() }
    if isQuiet, report.left == .unfound { remember("\(account.name): \(SignOutReport.unfound)") }
    if !isQuiet { hub.publish(VaultEvent(.signedOut, account: account.name, detail: report.note)) }
    return report
  }

  /// Nobody waits for what a quiet sign-out has to say; `status` says it.
  private func remember(_ note: String) {
    if !signOutNotes.contains(note) { signOutNotes.append(note) }
    if signOutNotes.count > Self.maximumSignOutNotes { signOutNotes.removeFirst() }
  }

  /// Goes on with what an earlier daemon, or a locked store, left unfinished. Called at start and after unlock. No account
  /// waits for the issuer of another.
  package func resume() async {
    let unfinished = entries.filter { $0.phase != .signedIn }
    let resuming = unfinished.map { entry in
      Task(executorPreference: tools.executor) { await self.resume(entry.account.id) }
    }
    for task in resuming { await task.value }
  }

  private func resume(_ id: AccountID) async {
    // As it is now: another start or unlock may have been here.
    guard let entry = entries.first(where: { $0.account.id == id }) else { return }
    switch entry.phase {
    case .signedIn: return
    case .pending:
      // A sign-in that runs, or that another unlock recovers, is nobody else's.
      guard underway.insert(id).inserted else { return }
      let isLeft = await recover(entry.account)
      underway.remove(id)
      if isLeft { finishLater() }
    case .signingOut:
      // Failing leaves the mark, and the next start or unlock tries again.
      do throws(VaultError) { _ = try await signOut(entry.account, isQuiet: true) } catch { return }
    }
  }

  /// Goes on later, and later again, with what a passing trouble left unfinished. A locked store waits for its unlock.
  func finishLater() {
    guard finishing == nil else { return }
    finishing = Task(executorPreference: tools.executor) { await self.goOn() }
  }

  private func goOn() async {
    var backoff = Backoff()
    while !isDraining, await canFinish() {
      backoff.failed(at: tools.clock.now, retryAfter: nil, jitter: Double(Random.below(1000)) / 1000)
      do { try await tools.clock.sleep(until: backoff.notBefore ?? tools.clock.now) } catch { break }
      await resume()
    }
    finishing = nil
  }

  private func canFinish() async -> Bool {
    for entry in entries where entry.phase != .signedIn && !underway.contains(entry.account.id) {
      switch await tools.stores[entry.account.backend]?.availability() {
      case .available, .refusing: return true
      case .locked, .unavailable, nil: continue
      }
    }
    return false
  }
}

extension SignOutReport {
  /// Everything secret is gone, and the index cannot be written.
  fileprivate var leavingName: Self {
    let left = "the disk refuses to forget the account's name; it is tried again"
    return Self(
      account: account, issuer: issuer, isRevoked: isRevoked, left: .refused,
      note: note.map { "\($0); \(left)" } ?? left)
  }
}
