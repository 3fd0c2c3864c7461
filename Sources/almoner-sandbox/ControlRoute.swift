import HTTPServer
import JSON
import Secrets
import Time

/// `/_control/…`: what a test may ask and do. Not part of the contract, and closed to browsers.
enum ControlRoute {
  static let prefix = "/_control/"

  /// One thing to ask or do, by method and name.
  private struct Command {
    let method: String
    let name: String
    let run: @Sendable (JSONValue, inout IssuerState) throws -> HTTPResponse
  }

  /// A new one is a line here.
  private static let commands = [
    Command(method: "GET", name: "counters", run: counters),
    Command(method: "POST", name: "fates", run: addFates),
    Command(method: "POST", name: "revoke", run: revoke),
    Command(method: "POST", name: "grant", run: grant),
    Command(method: "POST", name: "off") { body, state in try turn(false, body, &state) },
    Command(method: "POST", name: "on") { body, state in try turn(true, body, &state) },
    Command(method: "POST", name: "rotate-keys", run: rotateKeys),
    Command(method: "POST", name: "set", run: set),
    Command(method: "GET", name: "step-up", run: lastStepUp),
    Command(method: "POST", name: "decide", run: decideStepUp),
    Command(method: "POST", name: "advance", run: advance),
  ]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    // A page in somebody's browser can reach loopback, but cannot leave these two out.
    guard request.values(of: "origin").isEmpty, request.values(of: "sec-fetch-site").isEmpty else {
      return HTTPResponse(403)
    }
    guard request.onlyValue(of: "authorization") == "Bearer \(issuer.controlKey)" else { return HTTPResponse(401) }
    let name = request.path.dropFirst(prefix.count)
    guard let command = commands.first(where: { $0.name == name }) else { return .notFound }
    guard command.method == request.method else { return HTTPResponse(405, headers: [.init("Allow", command.method)]) }
    do {
      let body = try request.body.map { try JSONReader.parse($0) } ?? .object(JSONObject())
      return try issuer.with { try command.run(body, &$0) }
    } catch let error as JSONError {
      return .error(400, error.description)
    } catch let error as JSONMemberError {
      return .error(400, error.description)
    } catch let error as Fate.Malformed {
      return .error(400, error.reason)
    } catch let error as UsageError {
      return .error(400, error.reason)
    } catch {
      return HTTPResponse(500)
    }
  }

  private static func counters(_: JSONValue, _ state: inout IssuerState) -> HTTPResponse {
    .json(200) { writer in
      state.counters.write(to: &writer)
      writer.member("sessions_alive", state.sessionsAlive)
      writer.member("fates_waiting", state.fates.count)
    }
  }

  /// A list of fates, or one. An empty list forgets those that wait.
  private static func addFates(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    var list = [body]
    if case .array(let values) = body { list = values }
    let fates = try list.map { try Fate($0) }
    if fates.isEmpty { state.fates.clear() }
    guard state.fates.append(fates) else { return .error(400, "too many fates wait") }
    return waiting(state)
  }

  /// `{"person": NAME}`, or everybody.
  private static func revoke(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    let name = try object(body).string(ifPresent: "person")
    let revoked = state.revoke(try name.map { try Person.named($0) })
    return .json(200) { $0.member("revoked", revoked) }
  }

  /// `{"token": TOKEN}`: which grant of its session an access, id or refresh token came with.
  private static func grant(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    let grant = state.grant(of: try object(body).string("token"))
    return .json(200) { writer in
      writer.member("known", grant != nil)
      writer.member("kind", grant?.kind ?? "")
      writer.member("session", grant?.session ?? "")
      writer.member("number", grant?.number ?? 0)
    }
  }

  private static func turn(_ on: Bool, _ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    _ = try object(body)
    state.isOn = on
    return .json(200) { $0.member("on", on) }
  }

  /// `{"compromised": true}` lets the old keys vanish at once.
  private static func rotateKeys(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    let compromised = try object(body).bool(ifPresent: "compromised") ?? false
    try state.keys.rotate(compromised: compromised, now: Moment.now.boot)
    let keyID = state.keys.signingKeyID
    return .json(200) { $0.member("kid", keyID) }
  }

  /// `access_lifetime` (seconds), `grace` (the words of `--grace`), `delay_before_commit`, `delay_before_answer` (ms,
  /// for every request that fates are for, from now on), `step_up` (standard, always, never), `step_up_url` (what is
  /// given out in place of the page's own address; empty: no more), `monitoring` (whether it is enabled).
  private static func set(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    let object = try object(body)
    if let lifetime = try object.int(ifPresent: "access_lifetime") {
      guard (1...300).contains(lifetime) else { throw UsageError("access_lifetime is 1 to 300 seconds") }
      state.accessLifetime = lifetime
    }
    if let grace = try object.string(ifPresent: "grace") { state.grace = try Grace(grace) }
    if object.has("delay_before_commit") {
      state.fates.standing.delayBeforeCommit = try Fate.milliseconds(object, "delay_before_commit", 0)
    }
    if object.has("delay_before_answer") {
      state.fates.standing.delayBeforeAnswer = try Fate.milliseconds(object, "delay_before_answer", 0)
    }
    if let word = try object.string(ifPresent: "step_up") {
      guard let rule = StepUpRule(rawValue: word) else { throw UsageError("step_up is standard, always or never") }
      state.stepUps.rule = rule
    }
    if let isEnabled = try object.bool(ifPresent: "monitoring") { state.hasMonitoring = isEnabled }
    if let url = try object.string(ifPresent: "step_up_url") { state.stepUps.address = url.isEmpty ? nil : url }
    return waiting(state)
  }

  /// The step-up that was begun last.
  private static func lastStepUp(_: JSONValue, _ state: inout IssuerState) -> HTTPResponse {
    let last = state.stepUps.last
    return .json(200) { writer in
      writer.member("id", last?.id ?? "")
      writer.member("status", last?.status(now: Moment.now.boot).rawValue ?? "")
    }
  }

  /// `{"id": ID, "status": STATUS}`, as if the person had answered; without an id the last one is meant.
  private static func decideStepUp(_ body: JSONValue, _ state: inout IssuerState) throws -> HTTPResponse {
    let object = try object(body)
    guard let status = StepUp.Status(rawValue: try object.string("status")), status != .pending else {
      throw UsageError("status is approved, declined, expired or cancelled")
    }
    let id = try object.string(ifPresent: "id") ?? state.stepUps.last?.id ?? ""
    let decided = state.stepUps.decide(id, status, now: Moment.now.boot)
    return .json(200) { $0.member("decided", decided) }
  }

  /// `{"seconds": N}`: the issuer's clocks are so much later from now on.
  private static func advance(_ body: JSONValue, _: inout IssuerState) throws -> HTTPResponse {
    let seconds = try object(body).int("seconds")
    guard (0...604_800).contains(seconds) else { throw UsageError("seconds is 0 to 604800, which is a week") }
    Moment.advance(by: seconds)
    return .json(200) { $0.member("now", Moment.now.wall.seconds) }
  }

  private static func waiting(_ state: IssuerState) -> HTTPResponse {
    .json(200) { $0.member("fates_waiting", state.fates.count) }
  }

  private static func object(_ body: JSONValue) throws -> JSONObject {
    guard case .object(let object) = body else { throw UsageError("the body is an object or empty") }
    return object
  }
}
