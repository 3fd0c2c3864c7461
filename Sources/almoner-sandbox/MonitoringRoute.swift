import HTTPServer
import JSON

/// `POST monitoring-token/`: a credential of 15 minutes for device monitoring, once that is enabled.
enum MonitoringRoute: Route {
  static let path = "/monitoring-token/"
  static let methods = ["POST"]
  static let fated: Fate.Target? = .monitoring

  /// Seconds.
  static let lifetime: Int64 = 900

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse {
    let now = Moment.now.boot
    let (session, isEnabled) = issuer.with { state in
      state.counters.count(.monitoringTokens)
      return (request.bearer.flatMap { state.session(of: $0, now: now) }, state.hasMonitoring)
    }
    guard session != nil else { return .unauthorized }
    guard request.isJSON, let body = request.body else { return .error(400, "invalid_request") }
    do {
      let object = try JSONReader.parseObject(body, limits: JSONLimits(bytes: 1 << 10, depth: 2, members: 16))
      if let stranger = object.members.map(\.name).min() { return .error(400, "unknown_field", field: stranger) }
    } catch {
      return .error(400, "invalid_request")
    }
    guard isEnabled else { return .error(503, "monitoring_unavailable") }
    return .json(200) { writer in
      writer.member("token", Words.secret())
      writer.member("expires_in", lifetime)
    }
  }
}
