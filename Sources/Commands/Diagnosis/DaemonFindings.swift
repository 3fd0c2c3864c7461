package import Wire

/// What a daemon's status says that a person may have to see to.
package struct DaemonFindings {
  package let all: [Finding]

  package init(_ status: Wire.Status.Reply) {
    all =
      [Self.version(status), Self.lock(status), Self.memory(status), Self.confinement(status)]
      + status.notes.map { .well("note", $0) } + status.accounts.map(Self.account)
      + (status.strays ?? []).map(Self.stray)
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

  /// What belongs to no account. The command to remove it is shown only for an id of ours: anybody could have written
  /// another, and a person copies what is shown.
  private static func stray(_ stray: Wire.Stray) -> Finding {
    let isFile = stray.store == "sealed-file"
    let isOurs = stray.account.utf8.count == 32 && stray.account.allSatisfy { "0123456789abcdef".contains($0) }
    let remedy =
      isFile
      ? "remove the file"
      : isOurs
        ? "remove it: secret-tool clear application org.almoner account \(stray.account)"
        : "remove it with the keyring's own program"
    return .amiss(
      isFile ? "sealed files" : "keyring",
      "'\(stray.label)' belongs to no account here: unless another machine or home of yours uses it, \(remedy)")
  }

  private static func account(_ account: Wire.Account) -> Finding {
    let subject = "account \(PlainText.line(account.name))"
    let words = AccountText.state(account) + (account.detail.map { ": \($0)" } ?? "")
    switch account.state {
    case .signedIn where AccountText.trouble(account) != nil: return .amiss(subject, words)
    case .signedIn, .refreshing, .signingOut: return .well(subject, words)
    case .locked: return .amiss(subject, "\(words): almoner unlock \(account.name)")
    case .signInRequired: return .amiss(subject, "\(words): almoner login \(account.name)")
    case _: return .amiss(subject, words)
    }
  }
}
