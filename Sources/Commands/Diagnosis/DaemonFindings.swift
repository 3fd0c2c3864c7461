package import Wire

/// What a daemon's status says that a person may have to see to.
package struct DaemonFindings {
  package let all: [Finding]

  package init(_ status: Wire.Status.Reply) {
    all =
      [Self.version(status), Self.lock(status), Self.memory(status), Self.confinement(status)]
      + status.notes.map { .well("note", $0) } + status.accounts.map(Self.account)
  }

  private static func version(_ status: Wire.Status.Reply) -> Finding {
    status.version == Release.version
      ? .well("daemon", "runs, version \(status.version), pid \(status.pid)")
      : .amiss("daemon", "is of version \(status.version) and almoner of \(Release.version): restart it")
  }

  private static func lock(_ status: Wire.Status.Reply) -> Finding {
    .well("lock", status.locked ? "locked: almoner unlock opens it" : "open")
  }

  private static func memory(_ status: Wire.Status.Reply) -> Finding {
    status.memoryLocked
      ? .well("locked memory", "secrets stay out of swap")
      : .amiss("locked memory", "the limit is too low (ulimit -l): secrets could be written to swap")
  }

  private static func confinement(_ status: Wire.Status.Reply) -> Finding {
    status.confined
      ? .well("confinement", "the daemon's children are confined")
      : .amiss("confinement", "this kernel confines the daemon's children only in part: it has no Landlock")
  }

  private static func account(_ account: Wire.Account) -> Finding {
    let subject = "account \(PlainText.line(account.name))"
    let words = AccountText.state(account) + (account.detail.map { ": \($0)" } ?? "")
    switch account.state {
    case .signedIn, .refreshing, .signingOut: return .well(subject, words)
    case .locked: return .amiss(subject, "\(words): almoner unlock \(account.name)")
    case .signInRequired: return .amiss(subject, "\(words): almoner login \(account.name)")
    case _: return .amiss(subject, words)
    }
  }
}
