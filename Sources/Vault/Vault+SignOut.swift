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
    let session = sessions[account.id] ?? makeSession(account)
    let report = await session.signOut()
    if report.isWiped {
      sessions[account.id] = nil
      try await changeIndex { $0.removeAll { $0.account.id == account.id } }
    }
    if !isQuiet { hub.publish(VaultEvent(.signedOut, account: account.name, detail: report.note)) }
    return report
  }

  /// Goes on with what an earlier daemon, or a locked store, left unfinished. Called at start and after unlock.
  package func resume() async {
    for entry in entries {
      switch entry.phase {
      case .signedIn: continue
      case .pending:
        // A sign-in that runs, or that another unlock recovers, is nobody else's.
        guard underway.insert(entry.account.id).inserted else { continue }
        await recover(entry.account)
        underway.remove(entry.account.id)
      case .signingOut:
        // Failing leaves the mark, and the next start or unlock tries again.
        do throws(VaultError) { _ = try await signOut(entry.account, isQuiet: true) } catch { continue }
      }
    }
  }
}
