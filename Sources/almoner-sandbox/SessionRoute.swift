import HTTPServer
import JSON
import Time

/// `/session/`: GET reads the session that an access token stands for, DELETE ends it.
enum SessionRoute: Route {
  static let path = "/session/"
  static let methods = ["GET", "DELETE"]
  static let fated: Fate.Target? = .session

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    request.method == "GET" ? read(request, issuer) : end(request, issuer)
  }

  private static func read(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    let now = Moment.now.boot
    let wait = issuer.with { state -> Int64? in
      state.counters.count(.sessionChecks)
      let wait = state.sessionRate.admit(request.peer?.address ?? [], now: now)
      guard let wait, state.limitsRates else { return nil }
      state.counters.count(.rateLimited)
      return wait
    }
    if let wait { return .tooMany(wait) }
    let token = request.bearer ?? ""
    let (clientID, session) = issuer.with { ($0.clientID, $0.session(of: token, now: now)) }
    guard let session else { return .unauthorized }
    return describe(session, clientID)
  }

  /// A 401 says that the session did not end.
  private static func end(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    let now = Moment.now.boot
    let ended = issuer.with { state in
      state.counters.count(.sessionDeletes)
      guard let token = request.bearer, let session = state.session(of: token, now: now) else { return false }
      state.end(session)
      return true
    }
    return ended ? HTTPResponse(204) : .unauthorized
  }

  private static func describe(_ session: Session, _ clientID: String) -> HTTPResponse {
    let person = session.person
    return .json(200) { writer in
      writer.member("sub", person.subject)
      writer.member("sid", session.id)
      writer.member("application_id", clientID)
      writer.member("amr", strings: session.methods)
      writer.member("mfa_verified", session.methods.contains("mfa"))
      writer.member("email", person.email)
      writer.member("email_verified", true)
      writer.member("phone", person.phone)
      writer.member("expires_at", session.expires.seconds)
      writer.member("verified", person.isVerified)
      writer.member("organizations", strings: [person.organization])
    }
  }
}

extension HTTPResponse {
  /// 429 with the seconds to wait.
  static func tooMany(_ seconds: Int64) -> HTTPResponse {
    HTTPResponse(429, headers: [.init("Retry-After", String(seconds))])
  }
}
