import AlmonerClient
import Glibc

/// Keeps one account's token fresh: asks anew when it ages, and when the daemon says that something happened.
struct TokenKeeper {
  /// A token is replaced when it has less than this to live.
  private static let margin = Duration.seconds(30)

  private let client: AlmonerClient
  private let account: String?

  init(_ client: AlmonerClient, account: String?) {
    self.client = client
    self.account = account
  }

  /// Runs until the daemon ends.
  func run() throws(AlmonerClientError) -> Never {
    // Events first: what happens between the two calls is then not missed.
    var events = try client.events(account: account)
    while true {
      let patience = try fetch()
      if let event = try events.next(within: patience) { show("event: \(event.kind.rawValue)") }
    }
  }

  /// Gets a token and uses it. Returns how long it can be kept if nothing happens.
  private func fetch() throws(AlmonerClientError) -> Duration {
    do {
      let token = try client.accessToken(account: account, minValid: Self.margin)
      token.withBytes { bytes in show("\(token): \(bytes.count) bytes, good for \(token.lifetime)") }
      // A token that is short already is asked for again soon, not at once.
      return max(token.lifetime - Self.margin, .seconds(1))
    } catch .refused(let refusal) {
      show(refusal.help.isEmpty ? refusal.message : "\(refusal.message) Try: \(refusal.help)")
      return wait(after: refusal.reason)
    }
  }

  /// How long a refusal lasts if no event comes before.
  private func wait(after reason: Refusal.Reason) -> Duration {
    switch reason {
    case .temporary(let retryAfter), .busy(let retryAfter): max(retryAfter, .seconds(1))
    case .signInRequired, .locked, .unknownAccount, .stepUpRequired, .denied, .badRequest, .storage, .misconfigured,
      .stepUpFailed, .monitoringUnavailable, .other:
      .seconds(3600)
    }
  }

  private func show(_ line: String) {
    print(line)
    // At once, even into a pipe.
    fflush(nil)
  }
}
