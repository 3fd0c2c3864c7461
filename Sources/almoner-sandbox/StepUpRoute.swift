import HTTPServer
import JSON

/// `POST step-up/`: whether an action needs proof, and where the person gives it.
enum StepUpRoute: Route {
  static let path = "/step-up/"
  static let methods = ["POST"]
  static let fated: Fate.Target? = .stepUp

  private static let fields: Set<String> = ["action", "amount", "currency", "return_to"]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse {
    let now = Moment.now.boot
    let session = issuer.with { state -> Session? in
      state.counters.count(.stepUps)
      return request.bearer.flatMap { state.session(of: $0, now: now) }
    }
    guard let session else { return .unauthorized }
    guard request.isJSON, let body = request.body else { return .error(400, "invalid_request") }
    do {
      let object = try JSONReader.parseObject(body, limits: JSONLimits(bytes: 16 << 10, depth: 2, members: 16))
      if let stranger = object.members.map(\.name).filter({ !fields.contains($0) }).min() {
        return .error(400, "unknown_field", field: stranger)
      }
      return try begin(object, session, issuer)
    } catch is JSONError {
      return .error(400, "invalid_request")
    } catch let mistake as JSONMemberError {
      return .error(400, "invalid_request", field: mistake.name)
    }
  }

  private static func begin(_ object: JSONObject, _ session: Session, _ issuer: Issuer) throws -> HTTPResponse {
    let action = try object.string("action")
    guard ["payout", "bank", "contact"].contains(action) else {
      return .error(400, "invalid_request", field: "action")
    }
    let amount = try object.string(ifPresent: "amount")
    guard amount.map(isAmount) ?? (action != "payout") else { return .error(400, "invalid_request", field: "amount") }
    guard try object.string(ifPresent: "currency").map(isCurrency) ?? true else {
      return .error(400, "invalid_request", field: "currency")
    }
    let wanted = try object.string(ifPresent: "return_to")
    let rule = issuer.with { $0.stepUps.rule }
    guard rule.asks(action, amount: amount) else { return .json(200) { $0.member("required", false) } }
    let redirect = issuer.with { $0.redirects.first { $0.text == wanted } }
    guard wanted == nil || redirect != nil else { return .error(400, "invalid_request", field: "return_to") }
    let stepUp = StepUp(
      id: Words.uuid(), session: session.id, action: action, returnTo: redirect, started: Moment.now.boot)
    let url = issuer.with { state in
      state.stepUps.add(stepUp)
      return state.stepUps.address ?? "\(state.origin)\(VerificationRoute.path)?step_up=\(stepUp.id)"
    }
    return .json(200) { writer in
      writer.member("required", true)
      writer.member("id", stepUp.id)
      writer.member("url", url)
    }
  }

  /// `^[0-9]{1,16}(\.[0-9]{1,2})?$`
  private static func isAmount(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = { (part: Substring) in part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    return (1...16).contains(parts[0].count) && parts.allSatisfy(digits)
      && (parts.count == 1 || (1...2).contains(parts[1].count))
  }

  private static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}

/// `GET step-up/{id}/`: how one stands, for the session that asked.
enum StepUpStatusRoute: Route {
  static let path = "/step-up/"
  static let methods = ["GET"]
  static let fated: Fate.Target? = .stepUp

  static func serves(_ path: String) -> Bool { id(path) != nil }

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    let now = Moment.now.boot
    let found = issuer.with { state -> (session: Session, stepUp: StepUp?)? in
      state.counters.count(.stepUpReads)
      guard let session = request.bearer.flatMap({ state.session(of: $0, now: now) }) else { return nil }
      return (session, id(request.path).flatMap { state.stepUps[$0] })
    }
    guard let found else { return .unauthorized }
    guard let stepUp = found.stepUp, stepUp.session == found.session.id else { return .error(404, "not_found") }
    return .json(200) { writer in
      writer.member("id", stepUp.id)
      writer.member("action", stepUp.action)
      writer.member("status", stepUp.status(now: now).rawValue)
    }
  }

  private static func id(_ path: String) -> String? {
    guard path.hasPrefix(Self.path), path.hasSuffix("/"), path.count > Self.path.count + 1 else { return nil }
    let id = path.dropFirst(Self.path.count).dropLast()
    return id.contains("/") ? nil : String(id)
  }
}
