import JSON

/// What happened so far, for tests to look at.
struct Counters: Sendable {
  enum Event: String, CaseIterable, Sendable {
    case requests
    case signIns = "sign_ins"
    case tokenPosts = "token_posts"
    case codeGrants = "code_grants"
    case refreshGrants = "refresh_grants"
    case reuse
    case codeReuse = "code_reuse"
    case invalidGrants = "invalid_grants"
    case sessionChecks = "session_checks"
    case sessionDeletes = "session_deletes"
    case jwksFetches = "jwks_fetches"
    case discoveryFetches = "discovery_fetches"
    case rateLimited = "rate_limited"
    case stepUps = "step_ups"
    case stepUpReads = "step_up_reads"
    case monitoringTokens = "monitoring_tokens"
  }

  private var counts: [Event: Int64] = [:]

  mutating func count(_ event: Event) { counts[event, default: 0] += 1 }

  /// Every counter, also those at 0.
  func write(to writer: inout JSONWriter) {
    for event in Event.allCases { writer.member(event.rawValue, counts[event] ?? 0) }
  }
}
